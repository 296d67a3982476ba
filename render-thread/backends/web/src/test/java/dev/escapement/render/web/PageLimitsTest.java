package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.escapement.physics.PhysicsService;
import dev.escapement.state.time.NanoClock;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.WebSocket;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Opens connections without the token that do not complete a request. The time limit is 1 s here. */
@Timeout(120)
class PageLimitsTest {

    private static final int STRANGERS = 200;

    private final PhysicsService physics =
            PhysicsService.builder(TestWorld.of(5)).start();
    private final Sender sender =
            new Sender(LivePage.of(physics.newReader()).controls(physics), NanoClock.system(), null);
    private final PageServer server = new PageServer(
            InetAddress.getLoopbackAddress(),
            0,
            new PageAccess(Set.of(), "", PageAccess.newSecret(), Set.of()),
            sender,
            TimeUnit.SECONDS.toNanos(1));
    private URI uri = URI.create("");

    @BeforeEach
    void start() throws IOException {
        server.start();
        uri = URI.create(server.url());
    }

    @AfterEach
    void stop() {
        server.stop();
        sender.close();
        physics.close();
    }

    private Socket connect() throws IOException {
        return connectTo(server);
    }

    private static String get(URI page, Socket connected) throws IOException {
        try (Socket socket = connected) {
            write(
                    socket,
                    "GET " + page.getPath() + "OrbitControls.js HTTP/1.1\r\nHost: " + page.getAuthority() + "\r\n\r\n");
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private static void write(Socket socket, String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.US_ASCII));
    }

    /** A connection that is accepted during the stop must not stay open. */
    @Test
    void shouldCloseWhatArrivesWhileItStops() throws IOException {
        try (SocketChannel late = SocketChannel.open();
                SocketChannel unserved = SocketChannel.open()) {
            server.stop();
            server.connector.getSelectorManager().accept(late);
            assertThat(late.isOpen()).isFalse();

            PageServer other = new PageServer(InetAddress.getLoopbackAddress(), 0, server.access, sender, 1);
            var unused =
                    catchThrowable(() -> other.connector.getSelectorManager().accept(unserved)); // it never starts
            assertThat(unserved.isOpen()).isTrue();
            other.stop();
            assertThat(unserved.isOpen()).isFalse();
        }
    }

    /** A byte now and then must not keep a connection open. */
    @Test
    void shouldCloseWhatTrickles() throws IOException {
        try (Socket socket = connect()) {
            OutputStream out = socket.getOutputStream();
            write(socket, "GET " + uri.getPath() + " HTTP/1.1\r\nX: ");
            socket.setSoTimeout(100); // one byte every 100 ms
            for (int i = 0; i < 100; i++) {
                try {
                    if (socket.getInputStream().read() < 0) {
                        assertThat(i).isLessThan(99);
                        return;
                    }
                } catch (SocketTimeoutException stillOpen) {
                    out.write('x');
                } catch (SocketException reset) {
                    return;
                }
            }
        }
        throw new AssertionError("a connection was kept open for 10 s");
    }

    /** 200 connections send parts of requests without the token, and more with each load of the page. The open page must stay open. */
    @Test
    void shouldKeepRoomForThoseWhoHaveTheToken() throws Exception {
        PageServer patient = patient();
        URI page = URI.create(patient.url());
        Random random = new Random(1);
        List<Socket> strangers = new ArrayList<>();
        ServedPage.Page watching = new ServedPage.Page();
        try {
            WebSocket socket = ServedPage.open(page, watching);
            for (int i = 0; i < STRANGERS; i++) {
                strangers.add(connectTo(patient));
                send(strangers.get(i), partOfARequest(page, random));
            }
            await(() -> patient.connector.getConnectedEndPoints().size() == PageServer.MAX_CONNECTIONS);
            assertThat(strangers.get(0).getInputStream().read())
                    .as("the oldest")
                    .isEqualTo(-1);
            for (int load = 0; load < 5; load++) {
                assertThat(ServedPage.status(get(page, connectTo(patient)))).isEqualTo("200");
                strangers.add(connectTo(patient));
            }
            sender.round();
            watching.await("hello");
            socket.abort();
        } finally {
            closeAll(strangers);
            patient.stop();
        }
    }

    private PageServer patient() throws IOException {
        PageServer patient = new PageServer(
                InetAddress.getLoopbackAddress(),
                0,
                new PageAccess(Set.of(), "", PageAccess.newSecret(), Set.of()),
                sender,
                TimeUnit.HOURS.toNanos(1));
        patient.start();
        return patient;
    }

    private static Socket connectTo(PageServer server) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.connector.getLocalPort());
        socket.setSoTimeout(ServedPage.MAX_SECONDS * 1000);
        return socket;
    }

    /** Returns nothing, or the beginning of a request for a page or a WebSocket, without the token or with a wrong one. */
    private static String partOfARequest(URI page, Random random) {
        String wrong = random.nextBoolean() ? "/" : page.getPath().substring(0, 32) + "x/";
        String request = "GET " + wrong + (random.nextBoolean() ? "live" : "") + " HTTP/1.1\r\nHost: "
                + page.getAuthority() + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX: ";
        return request.substring(0, random.nextInt(request.length() + 1));
    }

    /** Sends bytes to a server that may have closed the connection. */
    private static void send(Socket socket, String bytes) {
        try {
            write(socket, bytes);
        } catch (IOException closed) {
            // the server has closed one of the oldest
        }
    }

    private static void closeAll(List<Socket> sockets) throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }
}
