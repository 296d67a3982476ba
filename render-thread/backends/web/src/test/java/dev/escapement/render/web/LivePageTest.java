package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.PhysicsService;
import dev.escapement.state.exchange.SnapshotReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pages over real connections, of worlds that tick. */
@Timeout(120)
class LivePageTest {

    private static List<Thread> live(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("escapement-live") && !before.contains(thread))
                .toList();
    }

    private static void requireTheirEnd(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(ServedPage.MAX_SECONDS * 1000L);
            assertThat(thread.isAlive()).as(thread.getName()).isFalse();
        }
    }

    @Test
    void shouldLeaveNoThreadAndGiveItsReaderBack() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        ServedPage served = new ServedPage();
        served.open(new ServedPage.Page());
        List<Thread> threads = live(before);
        assertThat(threads).hasSizeBetween(2, 13).allMatch(Thread::isDaemon);
        served.page.close();
        served.page.close();
        requireTheirEnd(live(before));
        SnapshotReader first = served.physics.newReader(); // the service allows two, so the page has closed its own
        SnapshotReader second = served.physics.newReader();
        first.close();
        second.close();
        served.close();
    }

    /** A client that has just connected gets the close code, too. Without the code, the client would take the end for a lost connection. */
    @Test
    void shouldTellEachClientThatItGoesAway() throws Exception {
        String code = new String(new char[] {Client.GOING_AWAY >> 8, Client.GOING_AWAY & 0xFF});
        for (int round = 0; round < 3; round++) {
            List<Socket> sockets = new ArrayList<>();
            try (ServedPage served = new ServedPage()) {
                for (int i = 0; i < 4; i++) {
                    sockets.add(served.upgrade());
                    assertThat(status(sockets.get(i))).isEqualTo("101");
                }
            }
            for (Socket socket : sockets) {
                try (socket) {
                    assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                            .as("ends with a frame that closes")
                            .containsPattern("(?s)\\x88." + code + "[ -~]*$");
                }
            }
        }
    }

    private static String status(Socket upgraded) throws IOException {
        return ServedPage.status(new String(upgraded.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1));
    }

    @Test
    void shouldCloseWhatIsMalformedBinaryOrTooLong() throws Exception {
        String longest = " ".repeat(PageServer.MAX_MESSAGE_BYTES);
        try (ServedPage served = new ServedPage()) {
            assertThat(closeCode(served, socket -> socket.sendText("{\"type\":\"pau", true)))
                    .isEqualTo(1008);
            assertThat(closeCode(served, socket -> socket.sendBinary(ByteBuffer.allocate(7), true)))
                    .isEqualTo(1003);
            assertThat(closeCode(served, socket -> socket.sendText(longest + " ", true)))
                    .isEqualTo(1009);
            assertThat(closeCode(
                            served,
                            socket -> socket.sendText(longest, false).thenCompose(sent -> sent.sendText(" ", true))))
                    .isEqualTo(1009);
        }
    }

    private static int closeCode(ServedPage served, Function<WebSocket, CompletableFuture<?>> sends) throws Exception {
        ServedPage.Page page = new ServedPage.Page();
        var unused = sends.apply(served.open(page));
        return page.closed.get(ServedPage.MAX_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void shouldServeEightAndLetOthersInWhenOneLeaves() throws Exception {
        try (ServedPage served = new ServedPage()) {
            List<WebSocket> sockets = new ArrayList<>();
            for (int i = 0; i < Sender.MAX_CLIENTS; i++) {
                ServedPage.Page one = new ServedPage.Page();
                sockets.add(served.open(one));
                one.await("hello");
            }
            try (Socket refused = served.upgrade()) {
                assertThat(status(refused)).isEqualTo("503");
            }
            sockets.get(0).abort();
            String status = "503";
            while (status.equals("503")) {
                try (Socket another = served.upgrade()) {
                    status = status(another);
                }
            }
            assertThat(status).isEqualTo("101");
        }
    }

    @Test
    void shouldSayThatThePortIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                PhysicsService physics = PhysicsService.builder(TestWorld.of(1)).start()) {
            Set<Thread> before = Thread.getAllStackTraces().keySet();
            LivePageBuilder builder = LivePage.of(physics.newReader()).port(taken.getLocalPort());
            assertThatThrownBy(builder::start)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("port " + taken.getLocalPort() + " of 127.0.0.1")
                    .hasMessageContaining("choose another one, or 0");
            requireTheirEnd(live(before));
            builder.port(0).start().close(); // works, because the failed start has not closed the reader
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.port(65_536))
                    .withMessageContaining("65536");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.historySeconds(0))
                    .withMessageContaining("at least 1 s, but is to have 0");
        }
    }

    @Test
    void shouldListAndOpenWorldsOnItsOwnThread() throws Exception {
        Set<String> threads = ConcurrentHashMap.newKeySet();
        try (PhysicsService next =
                        PhysicsService.builder(TestWorld.of(2)).name("next").start();
                ServedPage served = new ServedPage(page -> page.worlds(
                        () -> {
                            threads.add(Thread.currentThread().getName());
                            return Map.of("next", Map.of("bodies", 2));
                        },
                        (shows, name) -> {
                            threads.add(Thread.currentThread().getName() + " opens " + name);
                            shows.show(next.newReader(), next);
                        }))) {
            ServedPage.Page page = new ServedPage.Page();
            WebSocket socket = served.open(page);
            assertThat(page.await("hello")).contains("\"worlds\":true").contains("\"title\":\"Escapement\"");
            socket.sendText("{\"type\":\"worlds\",\"filter\":\"\"}", true).join();
            assertThat(page.await("\"rows\":[[\"next\"")).contains("[\"next\",2.0]");
            socket.sendText("{\"type\":\"open\",\"world\":\"next\"}", true).join();
            assertThat(page.await("hello")).contains("\"title\":\"Escapement – next\"");
        }
        assertThat(threads).containsExactlyInAnyOrder("escapement-live", "escapement-live opens next");
    }
}
