package example.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.render.FrameView;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class GameServerTest {

    private static final int BOXES = 100;
    private static final int KEY_RIGHT = 262;

    @TempDir
    private Path folder;

    @Test
    @Timeout(60)
    void shouldShowAClientWhatItsInputDoes() throws Exception {
        Path log = folder.resolve("server.esclog");
        try (GameServer server = new GameServer(0, BOXES, log);
                GameClient client = new GameClient(server.address())) {
            FrameView first = frameOf(server, client, 1);
            while (Double.isNaN(client.x(first))) { // until the client's box is in the server's world
                first = frameOf(server, client, first.clock().tick() + 1);
            }
            long tick = first.clock().tick();
            double before = client.x(first);
            assertThat(first.shown().bodies().count()).isEqualTo(BOXES + 1);
            assertThat(client.key(KEY_RIGHT, true)).isTrue();
            FrameView later = frameOf(server, client, tick + 100);
            assertThat(client.x(later)).as("pushed to the right").isGreaterThan(before + 1);
            assertThat(server.failure()).isEmpty();
        }
        assertThat(InputLog.open(log).isComplete()).isTrue();
    }

    private static FrameView frameOf(GameServer server, GameClient client, long tick) {
        FrameView frame = null;
        while (frame == null || frame.clock().tick() < tick) {
            assertThat(server.failure()).isEmpty();
            assertThat(Thread.currentThread().isInterrupted()).as("timed out").isFalse();
            frame = client.frame();
        }
        return frame;
    }
}
