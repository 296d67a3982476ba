package dev.escapement.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.demo.Engine;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.wire.ReceiverSettings;
import dev.escapement.state.wire.SnapshotReceiver;
import dev.escapement.state.wire.udp.Access;
import dev.escapement.state.wire.udp.ClientEndpoint;
import dev.escapement.state.wire.udp.UdpLoop;
import java.net.InetSocketAddress;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ServingTest {

    private static final int PUSHES = 10;

    @Test
    void shouldTakeEachInputOfAWatcherOnceAndAccountForIt() {
        InetSocketAddress address = LocalAddress.free("--serve", "udp:127.0.0.1:0");
        Function<PhysicsService, Link> serving =
                Link.serving("--serve", "udp:127.0.0.1:" + address.getPort(), said -> {});
        RunOptions options = new RunOptions("orbits", 5, 3, TickRate.hertz(100), 0);
        SnapshotReceiver receiver = new SnapshotReceiver(ReceiverSettings.DEFAULT, NanoClock.system());
        try (Stage stage = new Stage.Headless(TickRate.hertz(144));
                UdpLoop<ClientEndpoint> watcher =
                        UdpLoop.client(address, Link.WORLD, Access.thisMachine(), receiver, NanoClock.system())) {
            for (int i = 0; i < PUSHES; i++) {
                watcher.endpoint().inputs().offer(System.nanoTime(), InputKind.KEY_DOWN, 300 + i, 0, 0);
            }
            RunResult result = new MainJob(options, World.create(Engine.ORBITS, 5), stage, null, serving)
                    .run(ticks -> {})
                    .result();
            assertThat(result.faults()).isEmpty();
            assertThat(result.inputsAccepted())
                    .as("each key comes up when its watcher is gone")
                    .isEqualTo(2 * PUSHES);
        }
    }
}
