package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.PhysicsService;
import dev.escapement.state.exchange.SnapshotReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Starts pages, and closes them. */
@Timeout(120)
class LivePageTest {

    private static List<Thread> live(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("escapement-live") && !before.contains(thread))
                .toList();
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
        for (Thread thread : live(before)) {
            thread.join(ServedPage.MAX_SECONDS * 1000L);
            assertThat(thread.isAlive()).as(thread.getName()).isFalse();
        }
        SnapshotReader first = served.physics.newReader(); // the service has two readers
        SnapshotReader second = served.physics.newReader();
        first.close();
        second.close();
        served.close();
    }

    /** A client that has just connected gets the close code, too. Without it, it would take the end for a lost connection. */
    @Test
    void shouldTellEachClientThatItGoesAway() throws Exception {
        String code = new String(new char[] {Client.GOING_AWAY >> 8, Client.GOING_AWAY & 0xFF});
        for (int round = 0; round < 3; round++) {
            List<Socket> sockets = new ArrayList<>();
            try (ServedPage served = new ServedPage()) {
                ServedPage.Page page = new ServedPage.Page();
                served.open(page);
                for (int i = 0; i < 4; i++) {
                    sockets.add(served.upgrade());
                    page.awaitPicture();
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
            for (Thread thread : live(before)) {
                thread.join(ServedPage.MAX_SECONDS * 1000L);
                assertThat(thread.isAlive()).isFalse();
            }
            builder.port(0).start().close(); // the failed start has not lost the reader
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.port(65_536))
                    .withMessageContaining("65536");
            assertThatIllegalArgumentException().isThrownBy(() -> builder.historySeconds(0));
        }
    }

    /** Serves a list of worlds. The application's code must run on the page's thread. */
    @Test
    void shouldListAndOpenWorldsOnItsOwnThread() throws Exception {
        Set<String> threads = ConcurrentHashMap.newKeySet();
        try (PhysicsService first = PhysicsService.builder(TestWorld.of(1)).start();
                PhysicsService next =
                        PhysicsService.builder(TestWorld.of(2)).name("next").start();
                LivePage live = LivePage.of(first.newReader())
                        .worlds(
                                () -> {
                                    threads.add(Thread.currentThread().getName());
                                    return Map.of("next", Map.of("bodies", 2));
                                },
                                (shows, name) -> {
                                    threads.add(Thread.currentThread().getName() + " opens " + name);
                                    shows.show(next.newReader(), next);
                                })
                        .start()) {
            ServedPage.Page page = new ServedPage.Page();
            WebSocket socket = ServedPage.open(URI.create(live.url()), page);
            assertThat(page.await("hello")).contains("\"worlds\":true").contains("\"title\":\"Escapement\"");
            page.say(socket, "{\"type\":\"worlds\",\"filter\":\"\"}", true);
            assertThat(page.await("\"rows\":[[\"next\"")).contains("[\"next\",2.0]");
            page.say(socket, "{\"type\":\"open\",\"world\":\"next\"}", true);
            assertThat(page.await("hello")).contains("\"title\":\"Escapement – next\"");
        }
        assertThat(threads).containsExactlyInAnyOrder("escapement-live", "escapement-live opens next");
    }
}
