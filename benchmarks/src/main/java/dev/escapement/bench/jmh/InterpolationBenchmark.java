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

    /** How many bodies a benchmark of poses has: from what fits a core's own cache to what fits none. */
    @State(Scope.Thread)
    public abstract static class BodyCount {

        @Param({"1000", "10000", "100000", "1000000"})
        int bodies;
    }

    /** Consecutive ticks of the same bodies for everybody, in one layout. */
    public abstract static class World extends BodyCount {

        /** The first spawns the bodies and the second has no velocity to compare with: only later ones are like any other. */
        private static final int LAST_TICK = 5;

        private final PoseLayout layout;
        Snapshot before;
        Snapshot from;
        Snapshot to;

        World(PoseLayout layout) {
            this.layout = layout;
            to = new Snapshot(0, layout);
            from = to;
            before = to;
        }

        /** Captures them as the physics thread does. */
        @Setup
        public void create() throws Exception {
            CapturedTicks ticks = new CapturedTicks(bodies, layout);
            TumblingBodies tumbling = new TumblingBodies(bodies);
            for (int tick = 1; tick <= LAST_TICK; tick++) {
                before = from;
                from = to;
                to = ticks.capture(tumbling);
            }
            prepare();
        }

        /** Makes what the benchmark needs beside the ticks. */
        void prepare() {}
    }

    /** Blending by the library. */
    public static class Blending extends World {

        final Interpolator slerp = new Interpolator(Interpolation.DEFAULT);
        final Interpolator nlerp = new Interpolator(new Interpolation(Positions.LINEAR, Rotations.NLERP, 0));
        final Interpolator slerpAhead = new Interpolator(Interpolation.DEFAULT.lookAhead(1));

        public Blending() {
            this(PoseLayout.PLAIN);
        }

        Blending(PoseLayout layout) {
            super(layout);
        }

        /** Chooses the moment anew: what was blended for a moment is not blended again. */
        final Interpolator show(Interpolator by) {
            return show(by, ALPHA, 0);
        }

        final Interpolator show(Interpolator by, float alpha, float ticksAhead) {
            by.show(before, from, to, alpha, ticksAhead, TumblingBodies.RATE.dtSeconds());
            return by;
        }

        int blocks() {
            return to.poses().blockCount();
        }
    }

    /** Blending along cubic curves, whose tangents are in the snapshots. */
    public static class Curved extends Blending {

        private static final Interpolation HERMITE = new Interpolation(Positions.HERMITE, Rotations.SLERP, 0);

        final Interpolator hermite = new Interpolator(HERMITE);
        final Interpolator hermiteAhead = new Interpolator(HERMITE.lookAhead(1));

        public Curved() {
            super(new PoseLayout(PoseLayout.Tangents.DERIVED, List.of()));
        }
    }

    /** Blending along lines and arcs into buffers for instanced drawing. */
    public static class Interleaved extends Blending {

        final InstanceWriter poseWriter = new InstanceWriter(InstanceFormat.POSE);
        final InstanceWriter matrixWriter = new InstanceWriter(InstanceFormat.MATRIX);
        FloatBuffer poses = directBuffer(0);
        FloatBuffer matrices = directBuffer(0);

        @Override
        void prepare() {
            poses = directBuffer(bodies * InstanceFormat.POSE.floats());
            matrices = directBuffer(bodies * InstanceFormat.MATRIX.floats());
        }

        FloatBuffer write(InstanceWriter writer, FloatBuffer out) {
            writer.write(show(slerp), CAMERA.x, CAMERA.y, CAMERA.z, out);
            return out;
        }

        FloatBuffer write(InstanceWriter writer, FloatBuffer out, SecondThread second) {
            writer.begin(show(slerp), CAMERA.x, CAMERA.y, CAMERA.z, out);
            second.share(blocks(), writer::writeBlocks);
            writer.end();
            return out;
        }
    }

    /** Copying one tick's poses, block by block: the floor for all that writes a pose of every body. */
    public static class Copy extends World {

        private final PoseBlocks out = new PoseBlocks(0);

        public Copy() {
            super(PoseLayout.PLAIN);
        }

        PoseBlocks copy() {
            Poses.copy(from.poses(), out);
            return out;
        }
    }

    static FloatBuffer directBuffer(int floats) {
        return ByteBuffer.allocateDirect(Math.multiplyExact(floats, Float.BYTES))
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }

    @Benchmark
    public PoseBlocks escapementSlerp(Blending state) {
        return state.show(state.slerp).poses();
    }

    /**
     * The same without vector code. The ratio to {@link #escapementSlerp} is what vectorisation brings; near 1 it means that
     * the passes are no longer vectorised. To be read at 1,000 bodies: where memory is the limit, arithmetic hardly shows. A
     * {@code -jvmArgsAppend} on the command line replaces the one here.
     */
    @Benchmark
    @Fork(jvmArgsAppend = "-XX:-UseSuperWord")
    public PoseBlocks escapementSlerpScalar(Blending state) {
        return state.show(state.slerp).poses();
    }

    @Benchmark
    public PoseBlocks escapementNlerp(Blending state) {
        return state.show(state.nlerp).poses();
    }

    /** Looking ahead; its ratio to {@link #escapementSlerp} is what that costs. */
    @Benchmark
    public PoseBlocks escapementAhead(Blending state) {
        return state.show(state.slerpAhead, ALPHA, 1).poses();
    }

    /** The same in the quarter of a tick in which errors fade. */
    @Benchmark
    public PoseBlocks escapementAheadFading(Blending state) {
        return state.show(state.slerpAhead, ALPHA / 3, 1).poses();
    }

    /** The same by velocities, against {@link #escapementHermiteSlerp}. */
    @Benchmark
    public PoseBlocks escapementAheadAtVelocities(Curved state) {
        return state.show(state.hermiteAhead, ALPHA, 1).poses();
    }

    @Benchmark
    public PoseBlocks escapementHermiteSlerp(Curved state) {
        return state.show(state.hermite).poses();
    }

    @Benchmark
    public FloatBuffer escapementInterleavedPose(Interleaved state) {
        return state.write(state.poseWriter, state.poses);
    }

    @Benchmark
    public FloatBuffer escapementInterleavedMatrix(Interleaved state) {
        return state.write(state.matrixWriter, state.matrices);
    }

    @Benchmark
    public PoseBlocks escapementSlerpTwoThreads(Blending state, SecondThread second) {
        Interpolator interpolator = state.show(state.slerp);
        second.share(state.blocks(), interpolator::blend);
        return interpolator.poses();
    }

    @Benchmark
    public FloatBuffer escapementInterleavedPoseTwoThreads(Interleaved state, SecondThread second) {
        return state.write(state.poseWriter, state.poses, second);
    }

    @Benchmark
    public FloatBuffer escapementInterleavedMatrixTwoThreads(Interleaved state, SecondThread second) {
        return state.write(state.matrixWriter, state.matrices, second);
    }

    @Benchmark
    public Object jomlSlerp(Joml state) {
        return state.shown.slerp(state.earlier, state.later);
    }

    @Benchmark
    public Object jomlNlerp(Joml state) {
        return state.shown.nlerp(state.earlier, state.later);
    }

    @Benchmark
    public FloatBuffer jomlInterleaved(JomlInterleaved state) {
        return state.shown.slerpInterleaved(state.earlier, state.later, CAMERA, state.out);
    }

    @Benchmark
    public Object libgdxSlerp(Libgdx state) {
        return state.shown.slerp(state.earlier, state.later);
    }

    /** Not what the others compute: quaternions too short by up to 3e-4. */
    @Benchmark
    public Object libgdxSlerpUnnormalised(Libgdx state) {
        return state.shown.slerpUnnormalised(state.earlier, state.later);
    }

    @Benchmark
    public Object jmeSlerp(Jme state) {
        return state.shown.slerp(state.earlier, state.later);
    }

    /** Not what the others compute: quaternions too short by up to 3e-4. */
    @Benchmark
    public Object jmeSlerpUnnormalised(Jme state) {
        return state.shown.slerpUnnormalised(state.earlier, state.later);
    }

    @Benchmark
    public Object jmeNlerp(Jme state) {
        return state.shown.nlerp(state.earlier, state.later);
    }

    @Benchmark
    public PoseBlocks floorCopy(Copy state) {
        return state.copy();
    }
}
