package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.jmh.InterpolationBenchmark.Blending;
import dev.escapement.bench.jmh.InterpolationBenchmark.Joml;
import dev.escapement.bench.jmh.InterpolationBenchmark.World;
import dev.escapement.state.snapshot.PoseBlocks;
import org.assertj.core.data.Offset;
import org.joml.Quaternionf;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;

class InterpolationBenchmarkTest {

    private static final int BODIES = 2000;
    private static final Offset<Float> TOLERANCE = Offset.offset(1e-5f);

    private final InterpolationBenchmark benchmark = new InterpolationBenchmark();

    @Test
    void shouldComputeTheSameSlerpAsJoml() throws Exception {
        Joml joml = prepared(new Joml());
        assertThat(benchmark.jomlSlerp(joml)).isSameAs(joml);
        PoseBlocks poses = slerp();
        for (int body = 0; body < BODIES; body++) {
            Vector3f p = joml.positions[2][body];
            Quaternionf q = joml.rotations[2][body];
            assertThat(CaptureBenchmarksTest.pose(poses, body))
                    .as("body %d", body)
                    .containsExactly(new float[] {p.x, p.y, p.z, q.x, q.y, q.z, q.w}, TOLERANCE);
        }
    }

    /** Checks that a pose ahead of the newest tick is extrapolated, not blended. */
    @Test
    void shouldLookAhead() throws Exception {
        Blending state = prepared(new Blending());
        float ahead = benchmark.escapementAhead(state).block(1).px[7];
        float between = slerp().block(1).px[7];
        float current = state.current.poses().block(1).px[7];
        assertThat(ahead - current).isNotZero();
        assertThat(Math.signum(ahead - current)).isEqualTo(Math.signum(current - between));
    }

    /** Motion breaks, such as teleports, take more time to blend and are rare in a real world, so the benchmark must not contain any. */
    @Test
    void shouldHaveBodiesThatAllTurnAndNoMotionBreak() throws Exception {
        World ticks = prepared(new Blending());
        assertThat(ticks.current.tick()).isEqualTo(ticks.previous.tick() + 1);
        for (int b = 0; b < ticks.current.poses().blockCount(); b++) {
            assertThat(ticks.current.motion(b).breaks().count()).isZero();
            // The expected value is the cosine of half of 0.1 rad, minus one.
            assertThat(ticks.current.motion(b).leastTurn()).isBetween(-1.26e-3f, -1.2e-3f);
        }
    }

    private PoseBlocks slerp() throws Exception {
        return benchmark.escapementSlerp(prepared(new Blending()));
    }

    private static <W extends World> W prepared(W world) throws Exception {
        world.bodies = BODIES;
        world.create();
        return world;
    }
}
