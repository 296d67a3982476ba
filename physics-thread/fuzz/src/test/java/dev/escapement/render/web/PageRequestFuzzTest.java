package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.ScriptedSimulation;
import dev.escapement.state.time.NanoClock;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.LocalConnector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * Fuzzes requests to a live page's server. The server answers each request or closes the connection, and has no internal error (500).
 * Without the token in the request it does not show the page.
 */
class PageRequestFuzzTest {

    private static final String HOST = "127.0.0.1:80";
    private static final String UPGRADE = "Origin: http://" + HOST + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

    private static final InlineDriver WORLD =
            PhysicsService.builder(ScriptedSimulation.good()).inline(NanoClock.system());
    private static final Sender SENDER = new Sender(LivePage.of(WORLD.newReader()), NanoClock.system(), null);
    private static final PageServer SERVER = new PageServer(
            InetAddress.getLoopbackAddress(),
            0,
            new PageAccess(Set.of(), "", PageAccess.newSecret(), Set.of()),
            SENDER,
            PageServer.MAX_REQUEST_NANOS);
    private static LocalConnector connector = new LocalConnector(SERVER.server);
    private static volatile boolean ended;

    @BeforeAll
    static void start() throws Exception {
        HttpConfiguration configuration = PageServer.configuration();
        configuration.setLocalAddress(InetSocketAddress.createUnresolved("127.0.0.1", 80));
        connector = new LocalConnector(SERVER.server, new HttpConnectionFactory(configuration));
        SERVER.server.addConnector(connector);
        SERVER.start();
        Thread rounds = new Thread(() -> {
            while (!ended) {
                WORLD.runDueTicks(); // only ticks greet pages and read their messages
                SENDER.round();
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
            }
        });
        rounds.setDaemon(true);
        rounds.start();
        assertThat(answer(
                        request("GET /" + SERVER.access.token() + "/page.css HTTP/1.1\r\nHost: " + HOST + "\r\n\r\n")))
                .startsWith("HTTP/1.1 200");
    }

    @AfterAll
    static void stop() {
        ended = true;
        SERVER.stop();
    }

    @FuzzTest(maxDuration = "10s")
    void shouldAnswerOrCloseWithoutFailing(byte[] bytes) throws Exception {
        int way = bytes.length == 0 ? 0 : bytes[0] & 3;
        byte[] rest = Arrays.copyOfRange(bytes, Math.min(1, bytes.length), bytes.length);
        String known = "GET /" + SERVER.access.token() + "/";
        String start = " HTTP/1.1\r\nHost: " + HOST + "\r\n";
        String answer = switch (way) {
            case 0 -> answer(rest);
            case 1 -> answer(request(known, rest, start + "\r\n"));
            case 2 -> answer(request(known + "page.css" + start, rest, "\r\n\r\n"));
            default -> answer(request(known + "live" + start + UPGRADE + "\r\n", rest));
        };
        // Jetty refuses an unknown transfer coding with 501 and an unknown version with 505. If eight pages are open,
        // the next one gets 503.
        assertThat(answer).matches("(?s)HTTP/1.1 ([1-4]|501|505" + (way == 3 ? "|503" : "") + ").*|");
        if (way == 0) {
            assertThat(answer).doesNotStartWith("HTTP/1.1 200").doesNotContain(SERVER.access.token());
        }
    }

    private static byte[] request(Object... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (Object part : parts) {
            all.writeBytes(part instanceof byte[] raw ? raw : part.toString().getBytes(StandardCharsets.ISO_8859_1));
        }
        return all.toByteArray();
    }

    /** Returns all bytes of the answer. The connection must end. */
    private static String answer(byte[] request) throws Exception {
        LocalConnector.LocalEndPoint end = connector.connect();
        end.addInputAndExecute(ByteBuffer.wrap(request));
        end.addInputEOF();
        end.waitUntilClosedOrIdleFor(20, TimeUnit.SECONDS);
        assertThat(end.isOpen()).as("still open").isFalse();
        return end.takeOutputString(StandardCharsets.ISO_8859_1);
    }
}
