package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.world.DragSpring;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.Snapshot;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rewinds of masses that input and commands push. */
class RewindTest extends RewindFixture {

    @ParameterizedTest
    @ValueSource(ints = {1, 10})
    void shouldRunAgainWithTheLevelsAfterTheReturn(int every) {
        TracedMasses traced = new TracedMasses(BODIES);
        start(traced, StateHistory.ofTicks(200).every(every));
        run(9);
        driver.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, 87, 0, 0);
        run(50);
        driver.input().offer(clock.nanoTime(), InputKind.KEY_UP, 87, 0, 0);
        run(40);
        assertThat(history.rewind(55)).isNotNull();
        run(10);
        List<String> then = traced.got(56, 65);
        assertThat(then.toString()).doesNotContain("holds");
        assertThat(history.rewind(58)).isNotNull(); // re-simulates the ticks before 58 that have no state
        run(1);
        assertThat(traced.got(56, 58)).isEqualTo(then.subList(0, 3));
        traced.requireTheHashesOfARunWithoutRewinds();
    }

    @Test
    void shouldBreakTheMotionOfWhatJumpedAlone() {
        start(new Slide(), StateHistory.ofTicks(100));
        SnapshotReader reader = driver.newReader();
        run(30);
        told.clear();
        assertThat(history.rewind(10)).isNotNull();
        run(2);
        assertThat(told).containsExactly("went back to 10", "tick 31", "tick 32");
        assertThat(reader.acquire()).isTrue();
        Window window = reader.window();
        assertThat(LongStream.range(0, 3).map(i -> window.snapshot((int) i).simulationTick()))
                .containsExactly(30L, 11L, 12L);
        assertThat(breaks(window.snapshot(1))).isOne();
        assertThat(breaks(window.snapshot(2))).isZero();
        assertThat(window.snapshot(1).bodies().teleports(0)).isZero();
        assertThat(window.snapshot(1).bodies().teleports(1)).isOne();
    }

    @Test
    void shouldKeepWhatALocalCommandChanged() {
        start(masses, StateHistory.ofTicks(100).every(1000));
        run(5);
        assertThat(driver.execute(tick -> masses.pushLocally(1))).isNotNull();
        run(5);
        List<Long> then = masses.hashes(0, 8);
        assertThat(history.rewind(8)).isNotNull();
        run(1);
        assertThat(masses.hashes(0, 8)).isEqualTo(then);
        assertThat(masses.last()).isEqualTo(9);
    }

    private static int breaks(Snapshot snapshot) {
        MotionBreaks breaks = snapshot.motion(0).breaks();
        for (int i = 0; i < breaks.count(); i++) {
            assertThat(breaks.kind(i)).isEqualTo(MotionBreaks.Kind.BROKEN);
        }
        return breaks.count();
    }

    /** Two bodies, of which the second slides. All poses are set in every tick. */
    static final class Slide implements Simulation, Restorable {

        private double x;

        @Override
        public void step(Tick tick) {
            x += tick.dtSeconds();
        }

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(2);
            poses.set(0, 1, 2, 3, 0, 0, 0, 1);
            poses.set(1, (float) x, 0, 0, 0, 0, 0, 1);
        }

        @Override
        public void save(StateBuffer to) {
            to.put(x);
        }

        @Override
        public void restore(StateBuffer from) {
            x = from.getDouble();
        }
    }

    /** A body that can be dragged. */
    static final class Dragged implements Simulation, Restorable {

        final DragSpring spring = new DragSpring();
        int events;

        /** Starts a drag of a body, in a tick outside the run. */
        void drag(long body) {
            InputRing ring = new InputRing(8, () -> 0);
            DragInput.hold(ring, 1, body);
            spring.begin(Tick.of(RATE, 1, 10, 0, new InputSampler(ring).sample(0, 10), false));
        }

        @Override
        public void step(Tick tick) {
            events += tick.input().size();
            spring.begin(tick);
        }

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(1);
            poses.set(0, 0, 0, 0, 0, 0, 0, 1);
        }

        @Override
        public void save(StateBuffer to) {
            spring.save(to);
        }

        @Override
        public void restore(StateBuffer from) {
            spring.restore(from);
        }

        @Override
        public long hash() {
            return spring.slot();
        }
    }
}
