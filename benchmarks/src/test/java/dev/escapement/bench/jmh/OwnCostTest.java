package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.bench.demo.PushedWorld;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import java.util.Arrays;
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
                assertThat(playedBack.moved()).isEqualTo(BODIES);
            }
            for (int body = 0; body < BODIES; body++) {
                assertThat(pose(own.poses(), body)).as("body " + body).containsExactly(pose(engine.poses(), body));
            }
        }
    }

    @Test
    void shouldWriteNothingThatHasNotMoved() {
        OwnCost.PlayedBack playedBack = new OwnCost.PlayedBack(BODIES);
        try (PushedWorld engine = new PushedWorld(new SpringSimulation(BODIES), BODIES)) {
            engine.run(5);
            playedBack.load(engine.poses());
            assertThat(playedBack.moved()).isEqualTo(BODIES);
            playedBack.load(engine.poses());
            assertThat(playedBack.moved()).isZero();
        }
    }

    @Test
    void shouldMeasureBothTicks() {
        int[] steps = {0};
        OwnCost cost = OwnCost.measure(50, 10, () -> steps[0]++);

        assertThat(cost.bodies()).isEqualTo(50);
        assertThat(cost.moved()).isPositive().isLessThanOrEqualTo(50);
        assertThat(cost.tickMicros()).isPositive();
        assertThat(cost.ownMicros()).isPositive();
        assertThat(cost.ratio()).isPositive();
        assertThat(steps[0]).isEqualTo(OwnCost.steps(10));
    }

    @Test
    void shouldMeasureWhatRecordingAdds() throws Exception {
        int[] steps = {0};
        RecordingCost cost = RecordingCost.measure(50, 10, () -> steps[0]++);

        assertThat(cost.bodies()).isEqualTo(50);
        assertThat(cost.hashMicros()).isPositive();
        assertThat(cost.handOverMicros()).isPositive();
        assertThat(cost.percentOfTick()).isPositive();
        assertThat(cost.readingMicros()).isPositive();
        assertThat(cost.percentWithReads())
                .isCloseTo((cost.readingMicros() + cost.handOverMicros()) / 100, within(1e-9));
        assertThat(cost.fileBytesPerTick()).as("every tick was written").isBetween(41.0, 44.0);
        assertThat(steps[0]).isEqualTo(RecordingCost.steps(10));
    }

    @Test
    void shouldHashAndReadTheVeryStates() {
        SpringSimulation engine = new SpringSimulation(20);
        RecordingCost.PlayedStates played = new RecordingCost.PlayedStates(engine);
        try (PushedWorld world = new PushedWorld(engine, 20)) {
            long before = played.hash();
            world.run(5);
            played.load();
            assertThat(played.hash()).isEqualTo(engine.hash()).isNotEqualTo(before);
            long[] expected = new long[10];
            long[] bits = new long[10];
            for (int body = 0; body < 20; body++) {
                engine.readState(body, expected, 0);
                played.readState(body, bits, 0);
                assertThat(bits).containsExactly(expected);
                Arrays.fill(bits, 0);
                played.readStates(body, body + 1, bits);
                assertThat(bits).containsExactly(expected);
            }
        }
    }

    private static float[] pose(PoseBlocks poses, int body) {
        PoseBlock block = poses.blockOf(body);
        int i = body & PoseBlock.MASK;
        return new float[] {block.px[i], block.py[i], block.pz[i], block.qx[i], block.qy[i], block.qz[i], block.qw[i]};
    }
}
