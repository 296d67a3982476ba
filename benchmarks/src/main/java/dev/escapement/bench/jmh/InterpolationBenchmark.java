package dev.escapement.bench.jmh;

import dev.escapement.bench.jmh.InterpolationPeers.Jme;
import dev.escapement.bench.jmh.InterpolationPeers.Joml;
import dev.escapement.bench.jmh.InterpolationPeers.JomlInterleaved;
import dev.escapement.bench.jmh.InterpolationPeers.Libgdx;
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
import java.util.concurrent.TimeUnit;
import org.joml.Vector3f;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Blending all bodies of a frame, position and rotation, between the same two ticks: by the library, by those who have an
 * object per position and per rotation, and, as the floor, copying one tick's poses. Random orientations that turn by up to
 * 0.1 rad from tick to tick.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class InterpolationBenchmark {

    static final float ALPHA = 0.3f;
    static final Vector3f CAMERA = new Vector3f(3, 2, 20);
    static final PoseBlocks NO_POSES = new PoseBlocks(0);

    /** The same bodies for everybody, in the layout that a method asks for. */
    public abstract static class World extends BodyCount {

        private final PoseLayout layout;

        World() {
            this(PoseLayout.PLAIN);
        }

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

        private final Interpolation how;
        private final float alpha;
        private final Interpolator interpolator;
        private Snapshot before;
        private Snapshot from;
        private Snapshot to;

        Blending(Interpolation how, PoseLayout layout) {
            this(how, layout, ALPHA);
        }

        Blending(Interpolation how, PoseLayout layout, float alpha) {
            super(layout);
            this.alpha = alpha;
            this.how = how;
            interpolator = new Interpolator(how);
            from = new Snapshot(0, layout);
            before = from;
            to = from;
        }

        @Override
        void prepare(TwoTicks ticks) {
            before = ticks.before;
            from = ticks.from;
            to = ticks.to;
        }

        /** Chooses the moment anew: what was blended for a moment is not blended again. */
        Interpolator show() {
            interpolator.show(before, from, to, alpha, (float) how.lookAhead().ticks(), TwoTicks.TICK_SECONDS);
            return interpolator;
        }

        int blocks() {
            return to.poses().blockCount();
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

    /** Beyond what is known, along lines. */
    public static class Ahead extends Blending {
        /** Made by JMH. */
        public Ahead() {
            super(Interpolation.DEFAULT.lookAhead(1), PoseLayout.PLAIN);
        }
    }

    /** The same in the quarter of a tick in which errors fade. */
    public static class AheadFading extends Blending {
        /** Made by JMH. */
        public AheadFading() {
            super(Interpolation.DEFAULT.lookAhead(1), PoseLayout.PLAIN, ALPHA / 3);
        }
    }

    /** Beyond what is known, at velocities. */
    public static class AheadAtVelocities extends Blending {
        /** Made by JMH. */
        public AheadAtVelocities() {
            super(
                    new Interpolation(Positions.HERMITE, Rotations.SLERP, 0).lookAhead(1),
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

        FloatBuffer write(SecondThread second) {
            writer.begin(show(), CAMERA.x, CAMERA.y, CAMERA.z, out);
            second.share(blocks(), writer::writeBlocks);
            writer.end();
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

    /** Copying one tick's poses, block by block: the floor for all that writes a pose of every body. */
    public static class Copy extends World {

        private final PoseBlocks out = new PoseBlocks(0);
        private PoseBlocks from = NO_POSES;

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

    /** How many bodies a benchmark of poses has: from what fits a core's own cache to what fits none. */
    @State(Scope.Thread)
    public abstract static class BodyCount {

        @Param({"1000", "10000", "100000", "1000000"})
        int bodies;
    }

    @Benchmark
    public PoseBlocks escapementSlerp(Slerp state) {
        return state.show().poses();
    }

    /**
     * The same without vector code. The ratio to {@link #escapementSlerp} is what vectorisation brings; near 1 it means that
     * the passes are no longer vectorised. To be read at 1,000 bodies: where memory is the limit, arithmetic hardly shows. A
     * {@code -jvmArgsAppend} on the command line replaces the one here.
     */
    @Benchmark
    @Fork(jvmArgsAppend = "-XX:-UseSuperWord")
    public PoseBlocks escapementSlerpScalar(Slerp state) {
        return state.show().poses();
    }

    @Benchmark
    public PoseBlocks escapementNlerp(Nlerp state) {
        return state.show().poses();
    }

    /** Looking ahead; its ratio to {@link #escapementSlerp} is what that costs. */
    @Benchmark
    public PoseBlocks escapementAhead(Ahead state) {
        return state.show().poses();
    }

    /** The same while errors fade. */
    @Benchmark
    public PoseBlocks escapementAheadFading(AheadFading state) {
        return state.show().poses();
    }

    /** The same by velocities, against {@link #escapementHermiteSlerp}. */
    @Benchmark
    public PoseBlocks escapementAheadAtVelocities(AheadAtVelocities state) {
        return state.show().poses();
    }

    @Benchmark
    public PoseBlocks escapementHermiteSlerp(HermiteSlerp state) {
        return state.show().poses();
    }

    @Benchmark
    public FloatBuffer escapementInterleavedPose(InterleavedPose state) {
        return state.write();
    }

    @Benchmark
    public FloatBuffer escapementInterleavedMatrix(InterleavedMatrix state) {
        return state.write();
    }

    @Benchmark
    public PoseBlocks escapementSlerpTwoThreads(Slerp state, SecondThread second) {
        Interpolator interpolator = state.show();
        second.share(state.blocks(), interpolator::blend);
        return interpolator.poses();
    }

    @Benchmark
    public FloatBuffer escapementInterleavedPoseTwoThreads(InterleavedPose state, SecondThread second) {
        return state.write(second);
    }

    @Benchmark
    public FloatBuffer escapementInterleavedMatrixTwoThreads(InterleavedMatrix state, SecondThread second) {
        return state.write(second);
    }

    @Benchmark
    public Object jomlSlerp(Joml state) {
        return state.shown.slerp(state.from, state.to);
    }

    @Benchmark
    public Object jomlNlerp(Joml state) {
        return state.shown.nlerp(state.from, state.to);
    }

    @Benchmark
    public FloatBuffer jomlInterleaved(JomlInterleaved state) {
        return state.shown.slerpInterleaved(state.from, state.to, CAMERA, state.out);
    }

    @Benchmark
    public Object libgdxSlerp(Libgdx state) {
        return state.shown.slerp(state.from, state.to);
    }

    /** Not what the others compute: quaternions too short by up to 3e-4. */
    @Benchmark
    public Object libgdxSlerpUnnormalised(Libgdx state) {
        return state.shown.slerpUnnormalised(state.from, state.to);
    }

    @Benchmark
    public Object jmeSlerp(Jme state) {
        return state.shown.slerp(state.from, state.to);
    }

    /** Not what the others compute: quaternions too short by up to 3e-4. */
    @Benchmark
    public Object jmeSlerpUnnormalised(Jme state) {
        return state.shown.slerpUnnormalised(state.from, state.to);
    }

    @Benchmark
    public Object jmeNlerp(Jme state) {
        return state.shown.nlerp(state.from, state.to);
    }

    @Benchmark
    public PoseBlocks floorCopy(Copy state) {
        return state.copy();
    }
}
