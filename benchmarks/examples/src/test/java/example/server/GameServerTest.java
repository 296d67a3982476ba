package example.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.InputLog;
import dev.escapement.state.time.ManualClock;
import example.BoxRules;
import example.BoxYard;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real server and a real client, over the loopback interface. */
class GameServerTest {

    private static final int BOXES = 100;
    private static final int KEY_RIGHT = 262;

    @TempDir
    private Path folder;

    @Test
    void shouldShowAClientWhatItsInputDoes() throws Exception {
        Path log = folder.resolve("server.esclog");
        try (GameServer server = new GameServer(0, BOXES, log);
                GameClient client = new GameClient(server.address())) {
            client.hello();
            long tick = receiveUntil(server, client, 1);
            double before = client.meanX();
            assertThat(client.bodiesHeardOf()).isEqualTo(BOXES);
            client.key(KEY_RIGHT, true);
            receiveUntil(server, client, tick + 100);
            assertThat(client.meanX()).as("pushed to the right").isGreaterThan(before + 1);
            assertThat(server.failure()).isEmpty();
        }
        assertRepeats(InputLog.open(log));
    }

    @Test
    @Timeout(60)
    void shouldSurviveWhatIsNoInput() throws Exception {
        try (GameServer server = new GameServer(0, 1, folder.resolve("junk.esclog"));
                GameClient client = new GameClient(server.address())) {
            client.hello();
            client.key(-1, true);
            client.key(KEY_RIGHT, true);
            while (!server.stats().contains("input 1 (1 refused)")) {
                client.receive();
            }
            assertThat(server.failure()).isEmpty();
        }
    }

    @Test
    void shouldEndAllItsThreads() throws Exception {
        GameServer server = new GameServer(0, 1, folder.resolve("short.esclog"));
        SocketAddress address = server.address();
        server.close();
        server.close();
        try (GameServer next =
                new GameServer(((InetSocketAddress) address).getPort(), 1, folder.resolve("next.esclog"))) {
            assertThat(next.address()).isEqualTo(address);
        }
    }

    @Test
    void shouldCutSnapshotsIntoPacketsThatFit() {
        assertThat(Packets.MOST_BYTES).isGreaterThanOrEqualTo(Long.BYTES + Integer.BYTES + Packets.MOST_BODIES * 32);
    }

    /** All parts of a snapshot have come when one of a later tick comes. */
    private static long receiveUntil(GameServer server, GameClient client, long tick) throws Exception {
        long first = client.receive();
        long last = first;
        while (last == first || last < tick) {
            assertThat(server.failure()).isEmpty();
            last = client.receive();
        }
        return last;
    }

    private static void assertRepeats(InputLog log) {
        assertThat(log.isComplete()).isTrue();
        ManualClock clock = new ManualClock(0);
        try (InlineDriver driver = PhysicsService.builder(new BoxRules(new BoxYard(BOXES)))
                .replay(log)
                .inline(clock)) {
            clock.advance(log.run().rate().nanosAt(log.ticks()));
            assertThat(driver.runDueTicks()).isEqualTo((int) log.ticks());
            assertThat(driver.divergence()).isEmpty();
        }
    }
}
