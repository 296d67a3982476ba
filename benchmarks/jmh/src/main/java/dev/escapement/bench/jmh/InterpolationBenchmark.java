package dev.escapement.bench.jmh;

import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.render.tools.InstanceBuffer;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.nio.FloatBuffer;
import java.util.concurrent.TimeUnit;
import org.joml.Quaternionf;
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
 * Measures how long it takes to blend position and rotation of all bodies between the same two ticks. The contestants are the library, and
 * JOML with an object per position and per rotation; the floor copies the poses of one tick. Bodies have random orientations and turn by up
 * to 0.1 rad from tick to tick.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class InterpolationBenchmark {

    static final float ALPHA = 0.3f;
    static final Vector3f CAMERA = new Vector3f(3, 2, 20);

    /** The last three ticks of the same bodies, for all benchmarks. */
    @State(Scope.Thread)
    public abstract static class World {

        /**
         * The number of captured ticks. The first tick spawns the bodies, and the second lacks a previous velocity to compare with, so only
         * later ticks are typical.
         */
        private static final int LAST_TICK = 5;

        /** The number of bodies. 1,000 fit into a core's own cache, 1,000,000 into no cache. */
        @Param({"1000", "10000", "100000", "1000000"})
        int bodies;

        Snapshot current = new Snapshot(PoseLayout.PLAIN);
        Snapshot previous = current;
        Snapshot beforePrevious = current;

        /** Captures the ticks with the library's code, as the physics thread does. */
        @Setup
        public void create() throws Exception {
            CapturedTicks ticks = new CapturedTicks(bodies);
            TumblingBodies tumbling = new TumblingBodies(bodies);
            for (int tick = 1; tick <= LAST_TICK; tick++) {
                beforePrevious = previous;
                previous = current;
                current = ticks.capture(tumbling);
            }
            prepare();
        }

        void prepare() {}
    }

    public static class Blending extends World {

        final Interpolator slerp = new Interpolator(Interpolation.DEFAULT);
        final Interpolator ahead = new Interpolator(Interpolation.DEFAULT.lookAhead(1));
        final PoseBlocks copy = new PoseBlocks(0);

        /** Sets the blended time again, because the interpolator blends a block of bodies only once per set time. */
        final Interpolator show(Interpolator by, float ticksAhead) {
            by.show(beforePrevious, previous, current, ALPHA, ticksAhead);
            return by;
        }
    }

    /** Bodies that are blended directly into a buffer for instanced drawing: positions along lines, rotations along arcs. */
    public static class Interleaved extends Blending {

        final InstanceBuffer poses = new InstanceBuffer();

        FloatBuffer write() {
            return poses.write(show(slerp, 0), CAMERA.x, CAMERA.y, CAMERA.z);
        }
    }

    /** Bodies as JOML objects, a vector and a quaternion each, allocated in the order of slots: for both ticks and for the result. */
    public static class Joml extends World {

        final Vector3f[][] positions = new Vector3f[3][];
        final Quaternionf[][] rotations = new Quaternionf[3][];

        @Override
        void prepare() {
            fill(0, previous.poses());
            fill(1, current.poses());
            fill(2, previous.poses());
        }

        private void fill(int which, PoseBlocks poses) {
            positions[which] = new Vector3f[bodies];
            rotations[which] = new Quaternionf[bodies];
            for (int body = 0; body < bodies; body++) {
                PoseBlock p = poses.blockOf(body);
                int i = body & PoseBlock.MASK;
                positions[which][body] = new Vector3f(p.px[i], p.py[i], p.pz[i]);
                rotations[which][body] = new Quaternionf(p.qx[i], p.qy[i], p.qz[i], p.qw[i]);
            }
        }
    }

    @Benchmark
    public PoseBlocks escapementSlerp(Blending state) {
        return state.show(state.slerp, 0).poses();
    }

    /**
     * Blends without vector instructions. The ratio of this to {@link #escapementSlerp} is the speed-up by vectorization; near 1, the JIT
     * compiler no longer vectorizes the loops. Compare at 1,000 bodies only, because with more the memory limits both. A {@code
     * -jvmArgsAppend} on the command line replaces the one here.
     */
    @Benchmark
    @Fork(jvmArgsAppend = "-XX:-UseSuperWord")
    public PoseBlocks escapementSlerpScalar(Blending state) {
        return state.show(state.slerp, 0).poses();
    }

    /** Extrapolates for a view that looks ahead. The ratio of this to {@link #escapementSlerp} is the cost of looking ahead. */
    @Benchmark
    public PoseBlocks escapementAhead(Blending state) {
        return state.show(state.ahead, 1).poses();
    }

    @Benchmark
    public FloatBuffer escapementInterleavedPose(Interleaved state) {
        return state.write();
    }

    @Benchmark
    public Object jomlSlerp(Joml state) {
        Vector3f[] p = state.positions[2];
        Quaternionf[] q = state.rotations[2];
        for (int body = 0; body < p.length; body++) {
            state.positions[0][body].lerp(state.positions[1][body], ALPHA, p[body]);
            state.rotations[0][body].slerp(state.rotations[1][body], ALPHA, q[body]);
        }
        return state;
    }

    /** Copies the poses of one tick, block by block. No code that writes a pose for every body can be faster. */
    @Benchmark
    public PoseBlocks floorCopy(Blending state) {
        PoseArrays.copy(state.previous.poses(), state.copy);
        return state.copy;
    }
}
