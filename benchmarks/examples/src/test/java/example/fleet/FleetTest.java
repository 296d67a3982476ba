package example.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.PhysicsService;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.transport.aeron.AeronDriver;
import dev.escapement.transport.aeron.AeronReceiver;
import dev.escapement.transport.aeron.AeronSender;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In one process, what the example does in five. */
@Timeout(60)
class FleetTest {

    private static final int WORLDS = 3;

    private static String freeChannel() throws IOException {
        try (DatagramSocket probe = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            return "aeron:udp?control=localhost:" + probe.getLocalPort();
        }
    }

    @Test
    void shouldShowAllWorldsToManyThroughARelay() throws IOException {
        String near = freeChannel();
        String far = freeChannel();
        try (WorldServer server = new WorldServer(near, WORLDS, 5);
                Viewers relay = new Viewers(near, WORLDS, WORLDS, far);
                Viewers viewers = new Viewers(far, WORLDS, 2 * WORLDS, null)) {
            while (viewers.pictures() < 2 * WORLDS) {
                relay.frame();
                viewers.frame();
            }
            assertThat(relay.pictures()).isEqualTo(WORLDS);
            assertThat(server.failure().or(relay::failure).or(viewers::failure)).isEmpty();
            assertThat(viewers.report()).startsWith("6 of 6 pictures, ");
        }
    }

    @Test
    void shouldShowAWorldThroughARelay() {
        SnapshotReceiver relayed = new SnapshotReceiver(ReceiverSettings.DEFAULT, NanoClock.system());
        SnapshotReceiver shown = new SnapshotReceiver(ReceiverSettings.DEFAULT, NanoClock.system());
        String near = "aeron:ipc?stream-id=1";
        String far = "aeron:ipc?stream-id=2";
        try (PhysicsService physics = PhysicsService.builder(new Carousel(3)).start();
                AeronDriver driver = AeronDriver.embedded();
                AeronSender server = Streaming.send(driver, near, physics.newReader(), 1);
                AeronReceiver relay = Streaming.receive(driver, near, relayed)) {
            awaitWindow(relayed);
            try (AeronSender further = Streaming.send(driver, far, relayed.newReader(), 2);
                    AeronReceiver viewer = Streaming.receive(driver, far, shown)) {
                awaitWindow(shown);
                assertThat(viewer.failure()).isEmpty();
                assertThat(further.failure()).isEmpty();
            }
            assertThat(server.failure().or(relay::failure)).isEmpty();
        }
    }

    private static void awaitWindow(SnapshotReceiver receiver) {
        while (!receiver.isReady()) {
            Thread.onSpinWait();
        }
        try (SnapshotReader reader = receiver.newReader()) {
            do {
                reader.acquire();
            } while (!reader.hasWindow() || reader.window().newest().poses().slotCount() != 3);
        }
    }
}
