package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.jmh.CaptureBenchmark.AllMoved;
import dev.escapement.bench.jmh.CaptureBenchmark.AllMovedBulk;
import dev.escapement.bench.jmh.CaptureBenchmark.Captured;
import dev.escapement.bench.jmh.CaptureBenchmark.DerivedTangents;
import dev.escapement.bench.jmh.CaptureBenchmark.OneInHundredMoved;
import dev.escapement.bench.jmh.CaptureBenchmark.Unmoved;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is captured is what the names of the benchmark's methods say. */
class CaptureBenchmarkTest {

    private static final int BODIES = 2000;

    static Stream<Captured> allMoving() {
        return Stream.of(new AllMoved(), new AllMovedBulk(), new DerivedTangents());
    }

    @ParameterizedTest
    @MethodSource("allMoving")
    void shouldMoveEveryBodyInEveryTick(Captured state) throws Exception {
        Snapshot before = steady(state);
        for (int tick = 0; tick < 100; tick++) {
            Snapshot after = state.tick();
            assertThat(moved(before, after)).isEqualTo(BODIES);
            assertNoMotionBreaks(after);
            before = after;
        }
    }

    @Test
    void shouldMoveOneInHundred() throws Exception {
        OneInHundredMoved state = new OneInHundredMoved();
        Snapshot before = steady(state);
        assertThat(moved(before, state.tick())).isEqualTo(BODIES / 100);
    }

    @Test
    void shouldMoveNothing() throws Exception {
        Unmoved state = new Unmoved();
        Snapshot before = steady(state);
        Snapshot after = state.tick();
        assertThat(moved(before, after)).isZero();
        assertThat(after.motion(0).changedTick()).isLessThan(before.tick());
    }

    @Test
    void shouldUseAllSnapshotsInTurn() throws Exception {
        AllMoved state = new AllMoved();
        steady(state);
        Set<Snapshot> used = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int tick = 0; tick < 12; tick++) {
            used.add(state.tick());
        }
        assertThat(used).hasSize(10);
    }

    private static Snapshot steady(Captured state) throws Exception {
        state.bodies = BODIES;
        state.create();
        return state.tick();
    }

    private static int moved(Snapshot before, Snapshot after) {
        int moved = 0;
        for (int body = 0; body < BODIES; body++) {
            PoseBlock a = before.poses().blockOf(body);
            PoseBlock b = after.poses().blockOf(body);
            int i = body & PoseBlock.MASK;
            boolean positionMoved = a.px[i] != b.px[i] || a.py[i] != b.py[i] || a.pz[i] != b.pz[i];
            boolean rotationMoved = a.qx[i] != b.qx[i] || a.qy[i] != b.qy[i] || a.qz[i] != b.qz[i];
            if (positionMoved && rotationMoved) {
                moved++;
            }
        }
        return moved;
    }

    private static void assertNoMotionBreaks(Snapshot snapshot) {
        for (int b = 0; b < snapshot.poses().blockCount(); b++) {
            MotionBlock motion = snapshot.motion(b);
            assertThat(motion.breaks().count()).isZero();
        }
    }
}
