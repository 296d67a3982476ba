package dev.escapement.physics.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a history promises of a service holds for one world of many, in lock step. */
@Timeout(60)
class HostHistoryTest {

    private static final TickRate RATE = TickRate.hertz(100);

    private final PhysicsHost host =
            PhysicsHost.builder().threads(2).lockStep(RATE).start();

    /** A body that moves by a metre in each tick. */
    private static final class Walker implements Simulation, Restorable {

        private long metres;

        @Override
        public void step(Tick tick) {
            metres++;
        }

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(1);
            poses.set(0, (float) metres, 0, 0, 0, 0, 0, 1);
        }

        @Override
        public void save(StateBuffer to) {
            to.put(metres);
        }

        @Override
        public void restore(StateBuffer from) {
            metres = from.getLong();
        }
    }

    private static PhysicsServiceBuilder world(Simulation simulation) {
        return PhysicsService.builder(simulation).rate(RATE).maxReaders(1).inputCapacity(16);
    }

    private void step(int times) {
        for (int i = 0; i < times; i++) {
            host.tickAll();
        }
    }

    private static float metres(SnapshotReader reader) {
        assertThat(reader.acquire()).isTrue();
        return reader.window().newest().poses().block(0).px[0];
    }

    @AfterEach
    void close() {
        host.close();
    }

    @Test
    void shouldResetAndForkOneWorldWhileTheOthersGoOn() {
        StateHistory history = StateHistory.ofTicks(100);
        PhysicsService world = host.add(world(new Walker()).with(history));
        PhysicsService other = host.add(world(new Walker()));
        SnapshotReader ofWorld = world.newReader();
        SnapshotReader ofOther = other.newReader();
        step(10);
        CompletableFuture<?> reset = history.rewind(3);
        CompletableFuture<PhysicsServiceBuilder> forked = history.fork(2, () -> new Walker());
        step(1);
        reset.join(); // answered by a thread of its own
        assertThat(metres(ofWorld)).as("the tick after the third").isEqualTo(4);
        assertThat(metres(ofOther)).isEqualTo(11);
        PhysicsService fork = host.add(forked.join());
        SnapshotReader ofFork = fork.newReader();
        step(5);
        assertThat(metres(ofFork)).isEqualTo(2 + 5);
        assertThat(fork.lastTick()).isEqualTo(2 + 5);
        assertThat(metres(ofWorld)).isEqualTo(4 + 5);
        assertThat(metres(ofOther)).isEqualTo(16);
        assertThat(List.of(world.lastTick(), other.lastTick())).containsOnly(16L);
    }
}
