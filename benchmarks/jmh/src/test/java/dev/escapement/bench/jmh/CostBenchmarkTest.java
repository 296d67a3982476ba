package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.demo.SeededWorld;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import org.junit.jupiter.api.Test;

class CostBenchmarkTest {

    private static final int BODIES = 1100;

    @Test
    void shouldPlayBackTheVeryPoses() {
        CostBenchmark.PlayedBack playedBack = new CostBenchmark.PlayedBack(BODIES);
        try (SeededWorld engine = new SeededWorld(new SpringSimulation(BODIES), 20, builder -> builder);
                SeededWorld own = new SeededWorld(playedBack, 20, builder -> builder);
                SnapshotReader from = engine.newReader();
                SnapshotReader to = own.newReader()) {
            engine.run(1, 3);
            for (int tick = 1; tick <= 20; tick++) {
                engine.run(1, tick + 3);
                playedBack.load(poses(from));
                own.run(1, tick);
            }
            for (int body = 0; body < BODIES; body++) {
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
        CostBenchmark benchmark = new CostBenchmark();
        CostBenchmark.Repeated repeated = new CostBenchmark.Repeated();
        repeated.bodies = 50;
        repeated.create();
        repeated.before();
        assertThat(benchmark.escapementTick(repeated)).isEqualTo(1);
        assertThat(benchmark.joltHash(repeated)).isNotZero();
        repeated.close();
    }

    private static float[] pose(PoseBlocks poses, int body) {
        PoseBlock block = poses.blockOf(body);
        int i = body & PoseBlock.MASK;
        return new float[] {block.px[i], block.py[i], block.pz[i], block.qx[i], block.qy[i], block.qz[i], block.qw[i]};
    }
}
