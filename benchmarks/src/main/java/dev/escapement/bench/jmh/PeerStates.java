package dev.escapement.bench.jmh;

import dev.escapement.bench.jmh.InterpolationStates.World;
import dev.escapement.render.interpolation.InstanceFormat;
import dev.escapement.state.snapshot.PoseLayout;
import java.nio.FloatBuffer;

/** What the peers in {@link InterpolationBenchmark} work on: the same poses as the library, in their own objects. */
public final class PeerStates {

    private static final float ALPHA = InterpolationStates.ALPHA;
    private static final JomlPoses NO_JOML_POSES = new JomlPoses(InterpolationStates.NO_POSES);
    private static final LibgdxPoses NO_LIBGDX_POSES = new LibgdxPoses(InterpolationStates.NO_POSES);
    private static final JmePoses NO_JME_POSES = new JmePoses(InterpolationStates.NO_POSES);

    private PeerStates() {}

    /** Blending by JOML. */
    public static class Joml extends World {

        JomlPoses from = NO_JOML_POSES;
        JomlPoses to = NO_JOML_POSES;
        JomlPoses shown = NO_JOML_POSES;

        /** Made by JMH. */
        public Joml() {
            super(PoseLayout.PLAIN);
        }

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

        private FloatBuffer out = InterpolationStates.directBuffer(0);

        @Override
        void prepare(TwoTicks ticks) {
            super.prepare(ticks);
            out = InterpolationStates.directBuffer(bodies * InstanceFormat.POSE.floats());
        }

        FloatBuffer write() {
            shown.slerpInterleaved(from, to, ALPHA, InterpolationStates.CAMERA, out);
            return out;
        }
    }

    /** Blending by libGDX. */
    public static class Libgdx extends World {

        private LibgdxPoses from = NO_LIBGDX_POSES;
        private LibgdxPoses to = NO_LIBGDX_POSES;
        private LibgdxPoses shown = NO_LIBGDX_POSES;

        /** Made by JMH. */
        public Libgdx() {
            super(PoseLayout.PLAIN);
        }

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

        /** Made by JMH. */
        public Jme() {
            super(PoseLayout.PLAIN);
        }

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
