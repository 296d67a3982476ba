package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.demo.PushedWorld;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import org.junit.jupiter.api.Test;

class CostBenchmarkTest {

    private static final int BODIES = 1100;

    @Test
    void shouldPlayBackTheVeryPoses() {
        CostBenchmark.PlayedBack playedBack = new CostBenchmark.PlayedBack(BODIES);
        try (PushedWorld engine = new PushedWorld(new SpringSimulation(BODIES), BODIES);
                PushedWorld own = new PushedWorld(playedBack, BODIES)) {
            engine.run(3);
            for (int tick = 0; tick < 20; tick++) {
                engine.run(1);
                playedBack.load(engine.poses());
                own.run(1);
            }
            for (int body = 0; body < BODIES; body++) {
                assertThat(pose(own.poses(), body)).as("body " + body).containsExactly(pose(engine.poses(), body));
            }
        }
    }

    @Test
    void shouldRunATickAndRecordIt() throws Exception {
        CostBenchmark benchmark = new CostBenchmark();
        CostBenchmark.Pile pile = new CostBenchmark.Pile();
        open(pile);
        assertThat(benchmark.joltTick(pile)).isEqualTo(1);
        pile.close();
        CostBenchmark.Recorded recorded = new CostBenchmark.Recorded();
        open(recorded);
        assertThat(benchmark.escapementTickRecorded(recorded)).isEqualTo(1);
        assertThat(benchmark.joltHash(recorded)).isNotZero();
        recorded.close();
    }

    private static void open(CostBenchmark.Pile state) throws Exception {
        state.bodies = 50;
        state.create();
        state.before();
    }

    private static float[] pose(PoseBlocks poses, int body) {
        PoseBlock block = poses.blockOf(body);
        int i = body & PoseBlock.MASK;
        return new float[] {block.px[i], block.py[i], block.pz[i], block.qx[i], block.qy[i], block.qz[i], block.qw[i]};
    }
}
