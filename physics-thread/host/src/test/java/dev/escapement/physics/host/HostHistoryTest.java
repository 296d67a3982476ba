package dev.escapement.physics.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What history, recording and rest promise of a service holds for one world of many, in lock step. */
@Timeout(60)
class HostHistoryTest {

    private static final TickRate RATE = TickRate.hertz(100);

    private final PhysicsHost host =
            PhysicsHost.builder().threads(2).lockStep(RATE).start();

    /** A body that goes on while it is awake. Input wakes it for four ticks. */
    private static final class Walker implements Simulation, Restorable {

        private final List<Long> hashes = new ArrayList<>();
        private final boolean sleeps;
        private long awake = 4;
        private long metres;

        Walker(boolean sleeps) {
            this.sleeps = sleeps;
        }

        @Override
        public void step(Tick tick) {
            if (tick.input().size() > 0) {
                awake = 4;
            }
            awake -= sleeps ? 1 : 0;
            metres += awake > 0 ? 1 : 0;
            hashes.add(hash());
        }

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(1);
            if (awake > 0 || metres == 0) {
                poses.set(0, (float) metres, 0, 0, 0, 0, 0, 1);
            }
        }

        @Override
        public long hash() {
            return 31 * metres + awake;
        }

        @Override
        public void save(StateBuffer to) {
            to.put(awake);
            to.put(metres);
        }

        @Override
        public void restore(StateBuffer from) {
            awake = from.getLong();
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
        PhysicsService world = host.add(world(new Walker(false)).with(history));
        PhysicsService other = host.add(world(new Walker(false)));
        SnapshotReader ofWorld = world.newReader();
        SnapshotReader ofOther = other.newReader();
        step(10);
        CompletableFuture<?> reset = history.rewind(3);
        CompletableFuture<PhysicsServiceBuilder> forked = history.fork(2, () -> new Walker(false));
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

    @Test
    void shouldReplayALogOfAWorldThatRested(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("rested.esclog");
        Walker walker = new Walker(true);
        int ticks;
        try (Recording recording = Recording.create(file, new RunDescription("walker", "1", "", 0, RATE))) {
            PhysicsService world = host.add(world(walker).restWhenAsleep().with(recording));
            SnapshotReader reader = world.newReader();
            for (int key = 0; key < 5; key++) {
                step(50);
                assertThat(reader.acquire()).isTrue();
                assertThat(reader.window().timeline().isPaused())
                        .as("frames count no hold")
                        .isTrue();
                assertThat(reader.window().newestTick()).isEqualTo(walker.hashes.size());
                world.input().offer(host.clock().nanoTime(), InputKind.KEY_DOWN, key, 0, 0);
            }
            step(50);
            ticks = walker.hashes.size();
            assertThat(ticks).isBetween(6 * 4, 6 * 10); // of 300 steps
            assertThat(world.lastTick()).isEqualTo(ticks);
            assertThat(world.skippedTicks()).isZero();
            world.close();
            assertThat(recording.failure()).isEmpty();
        }
        Walker again = new Walker(true);
        ManualClock clock = new ManualClock(0);
        try (InlineDriver replay =
                PhysicsService.builder(again).replay(InputLog.open(file)).inline(clock)) {
            for (int i = 0; i < ticks; i++) {
                clock.advance(RATE.nanosAt(1));
                replay.runDueTicks();
            }
            assertThat(replay.divergence()).isEmpty();
        }
        assertThat(again.hashes).isEqualTo(walker.hashes);
    }
}
