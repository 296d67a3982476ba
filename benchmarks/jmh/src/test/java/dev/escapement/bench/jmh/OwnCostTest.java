package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.bench.demo.PushedWorld;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import org.junit.jupiter.api.Test;

class OwnCostTest {

    private static final int BODIES = 1100;

    @Test
    void shouldPlayBackTheVeryPoses() {
        OwnCost.PlayedBack playedBack = new OwnCost.PlayedBack(BODIES);
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
    void shouldMeasureTheTicksAndTheirRecording() throws Exception {
        int[] steps = {0};
        OwnCost cost = OwnCost.measure(50, 10, () -> steps[0]++);

        assertThat(cost.bodies()).isEqualTo(50);
        assertThat(cost.tickMicros()).isPositive();
        assertThat(cost.ownMicros()).isPositive();
        assertThat(cost.hashMicros()).isPositive();
        assertThat(cost.handOverMicros()).isPositive();
        assertThat(cost.flightMicros()).isPositive();
        assertThat(cost.recordingPercent()).isCloseTo((cost.hashMicros() + cost.handOverMicros()) / 100, within(1e-9));
        assertThat(steps[0]).isEqualTo(OwnCost.steps(10));
    }

    private static float[] pose(PoseBlocks poses, int body) {
        PoseBlock block = poses.blockOf(body);
        int i = body & PoseBlock.MASK;
        return new float[] {block.px[i], block.py[i], block.pz[i], block.qx[i], block.qy[i], block.qz[i], block.qw[i]};
    }
}
