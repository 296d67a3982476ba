package dev.escapement.bench.jmh;

import com.badlogic.gdx.math.Quaternion;
import com.badlogic.gdx.math.Vector3;
import dev.escapement.bench.jmh.InterpolationBenchmark.World;
import dev.escapement.render.interpolation.InstanceFormat;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import java.nio.FloatBuffer;
import java.util.function.Function;
import org.joml.Quaternionf;
import org.joml.Vector3f;

/** What the peers in {@link InterpolationBenchmark} work on: the same poses as the library, in their own objects. */
public final class InterpolationPeers {

    private static final float ALPHA = InterpolationBenchmark.ALPHA;

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

        JomlPoses slerp(JomlPoses from, JomlPoses to) {
            for (int body = 0; body < positions.length; body++) {
                from.positions[body].lerp(to.positions[body], ALPHA, positions[body]);
                from.rotations[body].slerp(to.rotations[body], ALPHA, rotations[body]);
            }
            return this;
        }

        JomlPoses nlerp(JomlPoses from, JomlPoses to) {
            for (int body = 0; body < positions.length; body++) {
                from.positions[body].lerp(to.positions[body], ALPHA, positions[body]);
                from.rotations[body].nlerp(to.rotations[body], ALPHA, rotations[body]);
            }
            return this;
        }

        /** Blends each body and writes it at once, measured from the camera. */
        FloatBuffer slerpInterleaved(JomlPoses from, JomlPoses to, Vector3f camera, FloatBuffer out) {
            out.clear();
            for (int body = 0; body < positions.length; body++) {
                Vector3f p = from.positions[body].lerp(to.positions[body], ALPHA, positions[body]);
                Quaternionf q = from.rotations[body].slerp(to.rotations[body], ALPHA, rotations[body]);
                out.put(p.x - camera.x).put(p.y - camera.y).put(p.z - camera.z);
                out.put(q.x).put(q.y).put(q.z).put(q.w);
            }
            return out;
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

    /** The same in libGDX's objects. */
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
        LibgdxPoses slerp(LibgdxPoses from, LibgdxPoses to) {
            for (int body = 0; body < positions.length; body++) {
                positions[body].set(from.positions[body]).lerp(to.positions[body], ALPHA);
                rotations[body]
                        .set(from.rotations[body])
                        .slerp(to.rotations[body], ALPHA)
                        .nor();
            }
            return this;
        }

        /** Without {@code nor}, which does less. */
        LibgdxPoses slerpUnnormalised(LibgdxPoses from, LibgdxPoses to) {
            for (int body = 0; body < positions.length; body++) {
                positions[body].set(from.positions[body]).lerp(to.positions[body], ALPHA);
                rotations[body].set(from.rotations[body]).slerp(to.rotations[body], ALPHA);
            }
            return this;
        }
    }

    /** The same in jMonkeyEngine's objects. */
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

        /** Slerp and {@code normalizeLocal}, for the same reason as libGDX's. */
        JmePoses slerp(JmePoses from, JmePoses to) {
            for (int body = 0; body < positions.length; body++) {
                positions[body].interpolateLocal(from.positions[body], to.positions[body], ALPHA);
                rotations[body]
                        .slerp(from.rotations[body], to.rotations[body], ALPHA)
                        .normalizeLocal();
            }
            return this;
        }

        /** Without {@code normalizeLocal}, which does less. */
        JmePoses slerpUnnormalised(JmePoses from, JmePoses to) {
            for (int body = 0; body < positions.length; body++) {
                positions[body].interpolateLocal(from.positions[body], to.positions[body], ALPHA);
                rotations[body].slerp(from.rotations[body], to.rotations[body], ALPHA);
            }
            return this;
        }

        JmePoses nlerp(JmePoses from, JmePoses to) {
            for (int body = 0; body < positions.length; body++) {
                positions[body].interpolateLocal(from.positions[body], to.positions[body], ALPHA);
                rotations[body].set(from.rotations[body]).nlerp(to.rotations[body], ALPHA);
            }
            return this;
        }
    }

    private InterpolationPeers() {}

    /** The two ticks in objects of a peer, and the objects that show what lies between them. */
    public abstract static class Peer<P> extends World {

        private final Function<PoseBlocks, P> copy;
        P earlier;
        P later;
        P shown;

        Peer(Function<PoseBlocks, P> copy) {
            super(PoseLayout.PLAIN);
            this.copy = copy;
            earlier = copy.apply(new PoseBlocks(0));
            later = earlier;
            shown = earlier;
        }

        @Override
        void prepare() {
            earlier = copy.apply(from.poses());
            later = copy.apply(to.poses());
            shown = copy.apply(from.poses());
        }
    }

    /** Blending by JOML. */
    public static class Joml extends Peer<JomlPoses> {
        public Joml() {
            super(JomlPoses::new);
        }
    }

    /** Blending by JOML into a buffer for instanced drawing. */
    public static class JomlInterleaved extends Joml {

        FloatBuffer out = InterpolationBenchmark.directBuffer(0);

        @Override
        void prepare() {
            super.prepare();
            out = InterpolationBenchmark.directBuffer(bodies * InstanceFormat.POSE.floats());
        }
    }

    /** Blending by libGDX. */
    public static class Libgdx extends Peer<LibgdxPoses> {
        public Libgdx() {
            super(LibgdxPoses::new);
        }
    }

    /** Blending by jMonkeyEngine. */
    public static class Jme extends Peer<JmePoses> {
        public Jme() {
            super(JmePoses::new);
        }
    }
}
