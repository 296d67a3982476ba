package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.jmh.CaptureBenchmark.Captured;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import org.junit.jupiter.api.Test;

/** The benchmark's methods capture what their names say. */
class CaptureBenchmarkTest {

    private static final int BODIES = 2000;

    /** The number of ticks: twice that of the snapshots, so that each has been written, and written again. */
    private static final int FIRST_TICKS = 20;

    private final CaptureBenchmark benchmark = new CaptureBenchmark();

    /** A method of the benchmark. */
    private interface Method {
        Snapshot tick(Captured state) throws Exception;
    }

    @Test
    void shouldMoveEveryBodyInEveryTick() throws Exception {
        assertAllMove(benchmark::escapementAllMoved);
        assertAllMove(benchmark::escapementAllMovedBulk);
    }

    private static void assertAllMove(Method method) throws Exception {
        Captured state = new Captured();
        Snapshot before = steady(state, method);
        for (int tick = 0; tick < 100; tick++) {
            Snapshot after = method.tick(state);
            assertThat(moved(before, after)).isEqualTo(BODIES);
            assertThat(after.motion(0).breaks().count()).isZero();
            assertThat(after.motion(1).breaks().count()).isZero();
            before = after;
        }
    }

    @Test
    void shouldMoveOneBodyOfAHundred() throws Exception {
        Captured state = new Captured();
        Snapshot before = steady(state, benchmark::escapementFewMoved);
        for (int tick = 0; tick < 100; tick++) {
            Snapshot after = benchmark.escapementFewMoved(state);
            assertThat(moved(before, after)).isEqualTo(BODIES / CaptureBenchmark.FEW);
            before = after;
        }
    }

    @Test
    void shouldMoveNothing() throws Exception {
        Captured state = new Captured();
        Snapshot before = steady(state, benchmark::escapementUnmoved);
        Snapshot after = benchmark.escapementUnmoved(state);
        assertThat(moved(before, after)).isZero();
        assertThat(after.motion(0).changedTick()).isLessThan(before.tick());
    }

    private static Snapshot steady(Captured state, Method method) throws Exception {
        state.bodies = BODIES;
        state.create();
        for (int tick = 0; tick < FIRST_TICKS; tick++) {
            method.tick(state);
        }
        return method.tick(state);
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
}
