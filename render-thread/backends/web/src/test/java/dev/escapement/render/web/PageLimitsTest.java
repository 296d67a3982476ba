package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.PhysicsService;
import dev.escapement.state.Await;
import dev.escapement.state.time.NanoClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SelectorManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Opens connections without the token that do not complete a request. */
@Timeout(120)
class PageLimitsTest {

    private static final int STRANGERS = 200;
    private static final String PART = "GET / HTTP/1.1\r\nX: ";

    private final PhysicsService physics =
            PhysicsService.builder(TestWorld.of(5)).start();
    private final Sender sender =
            new Sender(LivePage.of(physics.newReader()).controls(physics), NanoClock.system(), null);

    @AfterEach
    void stop() {
        sender.close();
        physics.close();
    }

    private PageServer server(long maxRequestNanos) {
        PageAccess access = new PageAccess(Set.of(), "", PageAccess.newSecret(), Set.of());
        return new PageServer(InetAddress.getLoopbackAddress(), 0, access, sender, maxRequestNanos);
    }

    private static Socket send(PageServer server, String bytes) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.connector.getLocalPort());
        socket.setSoTimeout(ServedPage.MAX_SECONDS * 1000);
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** A connection that is accepted while the server stops must not stay open. */
    @Test
    void shouldCloseWhatArrivesWhileItStops() throws Exception {
        try (SocketChannel late = SocketChannel.open();
                SocketChannel unserved = SocketChannel.open()) {
            PageServer server = server(1);
            server.start();
            server.stop();
            server.connector.getSelectorManager().accept(late);
            assertThat(late.isOpen()).isFalse();

            PageServer other = server(1);
            other.start();
            SelectorManager manager = other.connector.getSelectorManager();
            manager.getBean(ManagedSelector.class).stop(); // as a stop does first: what arrives now, Jetty never serves
            manager.accept(unserved);
            assertThat(unserved.isOpen()).isTrue();
            other.stop();
            assertThat(unserved.isOpen()).isFalse();
        }
    }

    /** A byte every 100 ms must not keep a connection open for longer than the second that a request may take. */
    @Test
    void shouldCloseWhatTrickles() throws IOException {
        PageServer server = server(TimeUnit.SECONDS.toNanos(1));
        server.start();
        boolean open = true;
        try (Socket socket = send(server, PART)) {
            socket.setSoTimeout(100);
            for (int i = 0; i < 99 && open; i++) {
                try {
                    open = socket.getInputStream().read() >= 0;
                } catch (SocketTimeoutException stillOpen) {
                    socket.getOutputStream().write('x');
                }
            }
        } catch (SocketException reset) {
            open = false;
        } finally {
            server.stop();
        }
        assertThat(open).as("for 10 s").isFalse();
    }

    /** The open page stays open, and others can be loaded, although connections without the token fill the server. */
    @Test
    void shouldKeepRoomForThoseWhoHaveTheToken() throws Exception {
        PageServer server = server(TimeUnit.HOURS.toNanos(1));
        server.start();
        URI page = URI.create(server.url());
        String request = "GET " + page.getPath() + "page.css HTTP/1.1\r\nHost: " + page.getAuthority() + "\r\n\r\n";
        List<Socket> strangers = new ArrayList<>();
        ServedPage.Page watching = new ServedPage.Page();
        try {
            ServedPage.open(page, watching);
            for (int i = 0; i < STRANGERS; i++) {
                strangers.add(send(server, i % 2 == 0 ? PART : ""));
            }
            Await.until(() -> server.connector.getConnectedEndPoints().size() == PageServer.MAX_CONNECTIONS);
            assertThat(strangers.get(0).getInputStream().read())
                    .as("the oldest")
                    .isEqualTo(-1);
            for (int load = 0; load < 5; load++) {
                try (Socket loading = send(server, request)) {
                    assertThat(loading.getInputStream().readNBytes(12))
                            .asString()
                            .isEqualTo("HTTP/1.1 200");
                }
                strangers.add(send(server, PART));
            }
            sender.round();
            watching.await("hello");
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
            server.stop();
        }
    }
}
