package dev.escapement.bench.jmh;

import dev.escapement.bench.handoff.Poses;
import dev.escapement.render.interpolation.InstanceFormat;
import dev.escapement.render.interpolation.InstanceWriter;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.render.interpolation.Interpolation.Positions;
import dev.escapement.render.interpolation.Interpolation.Rotations;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.List;
import org.joml.Vector3f;
import org.openjdk.jmh.annotations.Setup;

/**
 * What the methods of {@link InterpolationBenchmark} work on. Each makes only what it needs, so that a million bodies fit a
 * heap of 2 GB.
 */
public final class InterpolationStates {

    static final float ALPHA = 0.3f;
    static final Vector3f CAMERA = new Vector3f(3, 2, 20);
    static final PoseBlocks NO_POSES = new PoseBlocks(0);

    private InterpolationStates() {}

    /** The same bodies for everybody, in the layout that a method asks for. */
    public abstract static class World extends BodyCount {

        private final PoseLayout layout;

        World(PoseLayout layout) {
            this.layout = layout;
        }

        /** Captures two ticks. */
        @Setup
        public void create() throws Exception {
            prepare(new TwoTicks(bodies, layout));
        }

        /** Keeps or copies what the benchmark needs. */
        abstract void prepare(TwoTicks ticks);
    }

    /** Blending by the library. */
    public abstract static class Blending extends World {

        private final Interpolator interpolator;
        private Snapshot from;
        private Snapshot to;

        Blending(Interpolation how, PoseLayout layout) {
            super(layout);
            interpolator = new Interpolator(how);
            from = new Snapshot(0, layout);
            to = from;
        }

        @Override
        void prepare(TwoTicks ticks) {
            from = ticks.from;
            to = ticks.to;
        }

        /** Chooses the moment anew: what was blended for a moment is not blended again. */
        Interpolator show() {
            interpolator.show(from, to, ALPHA, TwoTicks.TICK_SECONDS);
            return interpolator;
        }
    }

    /** Along lines and arcs. */
    public static class Slerp extends Blending {
        /** Made by JMH. */
        public Slerp() {
            super(Interpolation.DEFAULT, PoseLayout.PLAIN);
        }
    }

    /** Along lines and, normalised, chords. */
    public static class Nlerp extends Blending {
        /** Made by JMH. */
        public Nlerp() {
            super(new Interpolation(Positions.LINEAR, Rotations.NLERP, 0), PoseLayout.PLAIN);
        }
    }

    /** Along cubic curves and arcs. */
    public static class HermiteSlerp extends Blending {
        /** Made by JMH. */
        public HermiteSlerp() {
            super(
                    new Interpolation(Positions.HERMITE, Rotations.SLERP, 0),
                    new PoseLayout(PoseLayout.Tangents.DERIVED, List.of()));
        }
    }

    /** Along lines and arcs into a buffer for instanced drawing. */
    public abstract static class Interleaved extends Slerp {

        private final InstanceFormat format;
        private final InstanceWriter writer;
        private FloatBuffer out = directBuffer(0);

        Interleaved(InstanceFormat format) {
            this.format = format;
            writer = new InstanceWriter(format);
        }

        @Override
        void prepare(TwoTicks ticks) {
            super.prepare(ticks);
            out = directBuffer(bodies * format.floats());
        }

        FloatBuffer write() {
            writer.write(show(), CAMERA.x, CAMERA.y, CAMERA.z, out);
            return out;
        }
    }

    /** Position and quaternion. */
    public static class InterleavedPose extends Interleaved {
        /** Made by JMH. */
        public InterleavedPose() {
            super(InstanceFormat.POSE);
        }
    }

    /** A matrix. */
    public static class InterleavedMatrix extends Interleaved {
        /** Made by JMH. */
        public InterleavedMatrix() {
            super(InstanceFormat.MATRIX);
        }
    }

    /** Copying one tick's poses, block by block: the floor for whatever writes a pose of every body. */
    public static class Copy extends World {

        private final PoseBlocks out = new PoseBlocks(0);
        private PoseBlocks from = NO_POSES;

        /** Made by JMH. */
        public Copy() {
            super(PoseLayout.PLAIN);
        }

        @Override
        void prepare(TwoTicks ticks) {
            from = ticks.from.poses();
        }

        PoseBlocks copy() {
            Poses.copy(from, out);
            return out;
        }
    }

    static FloatBuffer directBuffer(int floats) {
        return ByteBuffer.allocateDirect(Math.multiplyExact(floats, Float.BYTES))
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }
}
