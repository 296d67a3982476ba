package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.jmh.InterpolationBenchmark.Blending;
import dev.escapement.bench.jmh.InterpolationBenchmark.Curved;
import dev.escapement.bench.jmh.InterpolationBenchmark.Interleaved;
import dev.escapement.bench.jmh.InterpolationBenchmark.World;
import dev.escapement.bench.jmh.InterpolationPeers.Jme;
import dev.escapement.bench.jmh.InterpolationPeers.JmePoses;
import dev.escapement.bench.jmh.InterpolationPeers.Joml;
import dev.escapement.bench.jmh.InterpolationPeers.JomlInterleaved;
import dev.escapement.bench.jmh.InterpolationPeers.JomlPoses;
import dev.escapement.bench.jmh.InterpolationPeers.Libgdx;
import dev.escapement.bench.jmh.InterpolationPeers.LibgdxPoses;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.PoseLayout.Tangents;
import java.nio.FloatBuffer;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nobody is measured doing less work than the others: all compute the same poses. */
class InterpolationBenchmarkTest {

    private static final int BODIES = 2000;
    private static final float TOLERANCE = 1e-5f;

    private final InterpolationBenchmark benchmark = new InterpolationBenchmark();

    @Test
    void shouldComputeTheSameSlerpAsJoml() throws Exception {
        assertSame(slerp(), (JomlPoses) benchmark.jomlSlerp(prepared(new Joml())));
    }

    @Test
    void shouldComputeTheSameNlerpAsJoml() throws Exception {
        assertSame(nlerp(), (JomlPoses) benchmark.jomlNlerp(prepared(new Joml())));
    }

    @Test
    void shouldComputeTheSameSlerpAsLibgdx() throws Exception {
        LibgdxPoses peer = (LibgdxPoses) benchmark.libgdxSlerp(prepared(new Libgdx()));
        PoseBlocks poses = slerp();
        for (int body = 0; body < BODIES; body++) {
            var p = peer.positions[body];
            var q = peer.rotations[body];
            assertPose(poses, body, p.x, p.y, p.z, q.x, q.y, q.z, q.w);
        }
    }

    @Test
    void shouldComputeTheSameSlerpAsJme() throws Exception {
        assertSame(slerp(), (JmePoses) benchmark.jmeSlerp(prepared(new Jme())));
    }

    @Test
    void shouldComputeTheSameNlerpAsJme() throws Exception {
        assertSame(nlerp(), (JmePoses) benchmark.jmeNlerp(prepared(new Jme())));
    }

    @Test
    void shouldWriteTheSameBufferAsJoml() throws Exception {
        FloatBuffer own = benchmark.escapementInterleavedPose(prepared(new Interleaved()));
        FloatBuffer peer = benchmark.jomlInterleaved(prepared(new JomlInterleaved()));
        assertThat(own.capacity()).isEqualTo(peer.capacity()).isEqualTo(7 * BODIES);
        for (int i = 0; i < own.capacity(); i++) {
            assertThat(own.get(i)).isCloseTo(peer.get(i), within());
        }
    }

    /** A curve through the same ticks is near the line, but not on it. */
    @Test
    void shouldBlendAlongCurves() throws Exception {
        float curved = benchmark.escapementHermiteSlerp(prepared(new Curved())).block(1).py[7];
        float straight = slerp().block(1).py[7];
        assertThat(curved).isNotEqualTo(straight).isCloseTo(straight, Offset.offset(1e-3f));
    }

    /** Bodies whose motion is interrupted cost more, and are few in a world that runs. */
    @ParameterizedTest
    @EnumSource(names = "GIVEN", mode = EnumSource.Mode.EXCLUDE)
    void shouldHaveBodiesThatAllTurnAndNoMotionBreak(Tangents tangents) throws Exception {
        World ticks = prepared(new World(new PoseLayout(tangents, List.of())) {});
        assertThat(ticks.to.tick()).isEqualTo(ticks.from.tick() + 1);
        for (int b = 0; b < ticks.to.poses().blockCount(); b++) {
            assertThat(ticks.to.motion(b).breaks().count()).isZero();
            // The cosine of half of 0.1 rad, minus one.
            assertThat(ticks.to.motion(b).largestTurn()).isBetween(-1.26e-3f, -1.2e-3f);
        }
    }

    private PoseBlocks slerp() throws Exception {
        return benchmark.escapementSlerp(prepared(new Blending()));
    }

    private PoseBlocks nlerp() throws Exception {
        return benchmark.escapementNlerp(prepared(new Blending()));
    }

    private static <W extends World> W prepared(W world) throws Exception {
        world.bodies = BODIES;
        world.create();
        return world;
    }

    private static void assertSame(PoseBlocks poses, JomlPoses peer) {
        for (int body = 0; body < BODIES; body++) {
            var p = peer.positions[body];
            var q = peer.rotations[body];
            assertPose(poses, body, p.x, p.y, p.z, q.x, q.y, q.z, q.w);
        }
    }

    private static void assertSame(PoseBlocks poses, JmePoses peer) {
        for (int body = 0; body < BODIES; body++) {
            var p = peer.positions[body];
            var q = peer.rotations[body];
            assertPose(poses, body, p.x, p.y, p.z, q.getX(), q.getY(), q.getZ(), q.getW());
        }
    }

    private static void assertPose(PoseBlocks poses, int body, float... expected) {
        PoseBlock p = poses.blockOf(body);
        int i = body & PoseBlock.MASK;
        float[] actual = {p.px[i], p.py[i], p.pz[i], p.qx[i], p.qy[i], p.qz[i], p.qw[i]};
        assertThat(actual).as("body %d", body).containsExactly(expected, within());
    }

    private static Offset<Float> within() {
        return Offset.offset(TOLERANCE);
    }
}
