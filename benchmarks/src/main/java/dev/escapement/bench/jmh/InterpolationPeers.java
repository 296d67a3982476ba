package dev.escapement.bench.jmh;

import com.badlogic.gdx.math.Quaternion;
import com.badlogic.gdx.math.Vector3;
import dev.escapement.bench.jmh.InterpolationBenchmark.TwoTicks;
import dev.escapement.bench.jmh.InterpolationBenchmark.World;
import dev.escapement.render.interpolation.InstanceFormat;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import java.nio.FloatBuffer;
import org.joml.Quaternionf;
import org.joml.Vector3f;

/** What the peers in {@link InterpolationBenchmark} work on: the same poses as the library, in their own objects. */
public final class InterpolationPeers {

    /** Poses in JOML's objects, two a body, allocated in the order of the slots. */
    static final class JomlPoses {

        final Vector3f[] positions;
        final Quaternionf[] rotations;

        JomlPoses(PoseBlocks poses) {
            positions = new Vector3f[poses.slotCount()];
            rotations = new Quaternionf[poses.slotCount()];
            for (int body = 0; body < positions.length; body++) {
                PoseBlock p = poses.blockOf(body);
                int i = body & PoseBlock.MASK;
                positions[body] = new Vector3f(p.px[i], p.py[i], p.pz[i]);
                rotations[body] = new Quaternionf(p.qx[i], p.qy[i], p.qz[i], p.qw[i]);
            }
        }

        void slerp(JomlPoses from, JomlPoses to, float alpha) {
            for (int body = 0; body < positions.length; body++) {
                from.positions[body].lerp(to.positions[body], alpha, positions[body]);
                from.rotations[body].slerp(to.rotations[body], alpha, rotations[body]);
            }
        }

        void nlerp(JomlPoses from, JomlPoses to, float alpha) {
            for (int body = 0; body < positions.length; body++) {
                from.positions[body].lerp(to.positions[body], alpha, positions[body]);
                from.rotations[body].nlerp(to.rotations[body], alpha, rotations[body]);
            }
        }

        /** Blends each body and writes it at once, measured from the camera. */
        void slerpInterleaved(JomlPoses from, JomlPoses to, float alpha, Vector3f camera, FloatBuffer out) {
            out.clear();
            for (int body = 0; body < positions.length; body++) {
                Vector3f p = from.positions[body].lerp(to.positions[body], alpha, positions[body]);
                Quaternionf q = from.rotations[body].slerp(to.rotations[body], alpha, rotations[body]);
                out.put(p.x - camera.x).put(p.y - camera.y).put(p.z - camera.z);
                out.put(q.x).put(q.y).put(q.z).put(q.w);
            }
        }

        /** Copies from arrays of three and of four floats a body. */
        void copy(float[] fromPositions, float[] fromRotations) {
            for (int body = 0; body < positions.length; body++) {
                int p = 3 * body;
                int r = 4 * body;
                positions[body].set(fromPositions[p], fromPositions[p + 1], fromPositions[p + 2]);
                rotations[body].set(fromRotations[r], fromRotations[r + 1], fromRotations[r + 2], fromRotations[r + 3]);
            }
        }
    }

    /** Poses in libGDX's objects, two a body, allocated in the order of the slots. */
    static final class LibgdxPoses {

        final Vector3[] positions;
        final Quaternion[] rotations;

        LibgdxPoses(PoseBlocks poses) {
            positions = new Vector3[poses.slotCount()];
            rotations = new Quaternion[poses.slotCount()];
            for (int body = 0; body < positions.length; body++) {
                PoseBlock p = poses.blockOf(body);
                int i = body & PoseBlock.MASK;
                positions[body] = new Vector3(p.px[i], p.py[i], p.pz[i]);
                rotations[body] = new Quaternion(p.qx[i], p.qy[i], p.qz[i], p.qw[i]);
            }
        }

        /**
         * Slerp and {@code nor}: where a body turns by less than 52 degrees, libGDX blends along the chord and leaves the result
         * too short, by 3e-4 for a turn of 0.1 rad.
         */
        void slerp(LibgdxPoses from, LibgdxPoses to, float alpha) {
            for (int body = 0; body < positions.length; body++) {
                positions[body].set(from.positions[body]).lerp(to.positions[body], alpha);
                rotations[body]
                        .set(from.rotations[body])
                        .slerp(to.rotations[body], alpha)
                        .nor();
            }
        }

        /** Slerp without {@code nor} or {@code normalizeLocal}, which does less. */
        void slerpUnnormalised(LibgdxPoses from, LibgdxPoses to, float alpha) {
            for (int body = 0; body < positions.length; body++) {
                positions[body].set(from.positions[body]).lerp(to.positions[body], alpha);
                rotations[body].set(from.rotations[body]).slerp(to.rotations[body], alpha);
            }
        }
    }

    /** Poses in jMonkeyEngine's objects, two a body, allocated in the order of the slots. */
    static final class JmePoses {

        final com.jme3.math.Vector3f[] positions;
        final com.jme3.math.Quaternion[] rotations;

        JmePoses(PoseBlocks poses) {
            positions = new com.jme3.math.Vector3f[poses.slotCount()];
            rotations = new com.jme3.math.Quaternion[poses.slotCount()];
            for (int body = 0; body < positions.length; body++) {
                PoseBlock p = poses.blockOf(body);
                int i = body & PoseBlock.MASK;
                positions[body] = new com.jme3.math.Vector3f(p.px[i], p.py[i], p.pz[i]);
                rotations[body] = new com.jme3.math.Quaternion(p.qx[i], p.qy[i], p.qz[i], p.qw[i]);
            }
        }

        /**
         * Slerp and {@code normalizeLocal}: where a body turns by less than 52 degrees, jMonkeyEngine blends along the chord and
         * leaves the result too short, by 3e-4 for a turn of 0.1 rad.
         */
        void slerp(JmePoses from, JmePoses to, float alpha) {
            for (int body = 0; body < positions.length; body++) {
                positions[body].interpolateLocal(from.positions[body], to.positions[body], alpha);
                rotations[body]
                        .slerp(from.rotations[body], to.rotations[body], alpha)
                        .normalizeLocal();
            }
        }

        /** Slerp without {@code nor} or {@code normalizeLocal}, which does less. */
        void slerpUnnormalised(JmePoses from, JmePoses to, float alpha) {
            for (int body = 0; body < positions.length; body++) {
                positions[body].interpolateLocal(from.positions[body], to.positions[body], alpha);
                rotations[body].slerp(from.rotations[body], to.rotations[body], alpha);
            }
        }

        void nlerp(JmePoses from, JmePoses to, float alpha) {
            for (int body = 0; body < positions.length; body++) {
                positions[body].interpolateLocal(from.positions[body], to.positions[body], alpha);
                rotations[body].set(from.rotations[body]).nlerp(to.rotations[body], alpha);
            }
        }
    }

    private static final float ALPHA = InterpolationBenchmark.ALPHA;
    private static final JomlPoses NO_JOML_POSES = new JomlPoses(InterpolationBenchmark.NO_POSES);
    private static final LibgdxPoses NO_LIBGDX_POSES = new LibgdxPoses(InterpolationBenchmark.NO_POSES);
    private static final JmePoses NO_JME_POSES = new JmePoses(InterpolationBenchmark.NO_POSES);

    private InterpolationPeers() {}

    /** Blending by JOML. */
    public static class Joml extends World {

        JomlPoses from = NO_JOML_POSES;
        JomlPoses to = NO_JOML_POSES;
        JomlPoses shown = NO_JOML_POSES;

        @Override
        void prepare(TwoTicks ticks) {
            from = new JomlPoses(ticks.from.poses());
            to = new JomlPoses(ticks.to.poses());
            shown = new JomlPoses(ticks.from.poses());
        }

        JomlPoses slerp() {
            shown.slerp(from, to, ALPHA);
            return shown;
        }

        JomlPoses nlerp() {
            shown.nlerp(from, to, ALPHA);
            return shown;
        }
    }

    /** Blending by JOML into a buffer for instanced drawing. */
    public static class JomlInterleaved extends Joml {

        private FloatBuffer out = InterpolationBenchmark.directBuffer(0);

        @Override
        void prepare(TwoTicks ticks) {
            super.prepare(ticks);
            out = InterpolationBenchmark.directBuffer(bodies * InstanceFormat.POSE.floats());
        }

        FloatBuffer write() {
            shown.slerpInterleaved(from, to, ALPHA, InterpolationBenchmark.CAMERA, out);
            return out;
        }
    }

    /** Blending by libGDX. */
    public static class Libgdx extends World {

        private LibgdxPoses from = NO_LIBGDX_POSES;
        private LibgdxPoses to = NO_LIBGDX_POSES;
        private LibgdxPoses shown = NO_LIBGDX_POSES;

        @Override
        void prepare(TwoTicks ticks) {
            from = new LibgdxPoses(ticks.from.poses());
            to = new LibgdxPoses(ticks.to.poses());
            shown = new LibgdxPoses(ticks.from.poses());
        }

        LibgdxPoses slerp() {
            shown.slerp(from, to, ALPHA);
            return shown;
        }

        LibgdxPoses slerpUnnormalised() {
            shown.slerpUnnormalised(from, to, ALPHA);
            return shown;
        }
    }

    /** Blending by jMonkeyEngine. */
    public static class Jme extends World {

        private JmePoses from = NO_JME_POSES;
        private JmePoses to = NO_JME_POSES;
        private JmePoses shown = NO_JME_POSES;

        @Override
        void prepare(TwoTicks ticks) {
            from = new JmePoses(ticks.from.poses());
            to = new JmePoses(ticks.to.poses());
            shown = new JmePoses(ticks.from.poses());
        }

        JmePoses slerp() {
            shown.slerp(from, to, ALPHA);
            return shown;
        }

        JmePoses slerpUnnormalised() {
            shown.slerpUnnormalised(from, to, ALPHA);
            return shown;
        }

        JmePoses nlerp() {
            shown.nlerp(from, to, ALPHA);
            return shown;
        }
    }
}
