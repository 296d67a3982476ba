package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.demo.SeededWorld;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.bench.jmh.CaptureBenchmark.Captured;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.Snapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CaptureBenchmarksTest {

    private static final int BODIES = 2000;

    private final CaptureBenchmark benchmark = new CaptureBenchmark();

    private interface Method {
        Snapshot tick(Captured state) throws Exception;
    }

    @Test
    void shouldMoveAsManyBodiesAsTheNamesSay() throws Exception {
        assertMoves(benchmark::escapementAllMoved, BODIES);
        assertMoves(benchmark::escapementAllMovedBulk, BODIES);
        assertMoves(benchmark::escapementFewMoved, BODIES / CaptureBenchmark.FEW);
        assertMoves(benchmark::escapementUnmoved, 0);
    }

    private static void assertMoves(Method method, int expected) throws Exception {
        Captured state = new Captured();
        state.bodies = BODIES;
        state.create();
        for (int tick = 0; tick < 20; tick++) { // after this, each snapshot was written twice
            method.tick(state);
        }
        Snapshot before = method.tick(state);
        for (int tick = 0; tick < 100; tick++) {
            Snapshot after = method.tick(state);
            int moved = 0;
            for (int body = 0; body < BODIES; body++) {
                float[] was = pose(before.poses(), body);
                float[] is = pose(after.poses(), body);
                moved += was[0] != is[0] && was[3] != is[3] ? 1 : 0;
            }
            assertThat(moved).isEqualTo(expected);
            assertThat(after.motion(0).breaks().count()).isZero();
            before = after;
        }
    }

    @Test
    void shouldPlayBackTheVeryPoses() {
        int bodies = 1100;
        CostBenchmark.PlayedBack playedBack = new CostBenchmark.PlayedBack(bodies);
        try (SeededWorld engine = new SeededWorld(new SpringSimulation(bodies), 20, builder -> builder);
                SeededWorld own = new SeededWorld(playedBack, 20, builder -> builder);
                SnapshotReader from = engine.newReader();
                SnapshotReader to = own.newReader()) {
            engine.run(1, 3);
            for (int tick = 1; tick <= 20; tick++) {
                engine.run(1, tick + 3);
                playedBack.load(poses(from));
                own.run(1, tick);
            }
            for (int body = 0; body < bodies; body++) {
                assertThat(pose(poses(to), body)).as("body " + body).containsExactly(pose(poses(from), body));
            }
        }
    }

    private static PoseBlocks poses(SnapshotReader reader) {
        reader.acquire();
        return reader.window().newest().poses();
    }

    @Test
    void shouldRunATickAndPlayItBack() {
        CostBenchmark cost = new CostBenchmark();
        CostBenchmark.Repeated repeated = new CostBenchmark.Repeated();
        repeated.bodies = 50;
        repeated.create();
        repeated.before();
        assertThat(cost.escapementTick(repeated)).isEqualTo(1);
        assertThat(cost.joltHash(repeated)).isNotZero();
        repeated.close();
    }

    /** Bodies that sleep or have landed take less time to read, so the benchmark must not contain any. */
    @ParameterizedTest
    @EnumSource(names = {"JOLT", "BULLET", "ODE4J", "DYN4J", "BOX2D", "PHYSX"})
    void shouldReadBodiesThatAllFall(Engine engine) throws Exception {
        PoseReadingBenchmark reading = new PoseReadingBenchmark();
        reading.engine = engine;
        reading.start();
        float[] before = heights(reading.capture());
        assertThat(heights(reading.capture())).containsExactly(before);
        reading.fall(1);
        float[] after = heights(reading.capture());
        reading.close();
        for (int body = 0; body < before.length; body++) {
            assertThat(after[body]).as("body %d", body).isLessThan(before[body]);
        }
    }

    private static float[] heights(Snapshot snapshot) {
        float[] heights = new float[snapshot.poses().slotCount()];
        for (int body = 0; body < heights.length; body++) {
            heights[body] = pose(snapshot.poses(), body)[1];
        }
        return heights;
    }

    static float[] pose(PoseBlocks poses, int body) {
        PoseBlock block = poses.blockOf(body);
        int i = body & PoseBlock.MASK;
        return new float[] {block.px[i], block.py[i], block.pz[i], block.qx[i], block.qy[i], block.qz[i], block.qw[i]};
    }
}
