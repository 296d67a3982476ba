package dev.escapement.bench.jmh;

import dev.escapement.bench.jmh.InterpolationBenchmark.BodyCount;
import dev.escapement.bench.jmh.InterpolationBenchmark.Copy;
import dev.escapement.bench.jmh.InterpolationPeers.JomlPoses;
import dev.escapement.state.capture.Capture;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Setup;

/**
 * What the physics thread pays for a tick's snapshot: capture and publish, without a simulation (every third tick with a
 * reader's acquire, some nanoseconds). Against copying the same poses into an object per position and per rotation, and, as
 * the floor, copying one tick's poses.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CaptureBenchmark {

    /** Twice as many as there are snapshots: each has been written, and written again. */
    private static final int FIRST_TICKS = 20;

    /** Bodies that a source writes, tick by tick. */
    public abstract static class Captured extends BodyCount {

        private final PoseLayout layout;
        private final Capture.Source source = this::write;
        private @Nullable CapturedTicks ticks;
        private AlternatingPoses simulated = new AlternatingPoses(0);

        Captured() {
            this(PoseLayout.PLAIN);
        }

        Captured(PoseLayout layout) {
            this.layout = layout;
        }

        /** Captures all bodies once, and then as many ticks as it takes until each is like the one before. */
        @Setup
        public void create() throws Exception {
            simulated = new AlternatingPoses(bodies);
            ticks = new CapturedTicks(bodies, layout);
            ticks.capture(poses -> writeAll(poses, simulated));
            for (int i = 0; i < FIRST_TICKS; i++) {
                tick();
            }
        }

        /** Steps the simulation and captures it. */
        Snapshot tick() throws Exception {
            simulated.step();
            return Objects.requireNonNull(ticks).capture(source);
        }

        private void write(PoseWriter poses) {
            write(poses, simulated);
        }

        /** Writes the bodies that moved in this tick. */
        abstract void write(PoseWriter poses, AlternatingPoses from);

        final void writeAll(PoseWriter poses, AlternatingPoses from) {
            poses.bodyCount(bodies);
            poses.setAll(0, bodies, from.positions(), from.rotations());
        }

        /** Writes bodies 0, {@code distance}, twice that and so on. */
        final void writeEach(PoseWriter poses, AlternatingPoses from, int distance) {
            float[] positions = from.positions();
            float[] rotations = from.rotations();
            poses.bodyCount(bodies);
            for (int body = 0; body < bodies; body += distance) {
                int p = 3 * body;
                int r = 4 * body;
                poses.set(
                        body,
                        positions[p],
                        positions[p + 1],
                        positions[p + 2],
                        rotations[r],
                        rotations[r + 1],
                        rotations[r + 2],
                        rotations[r + 3]);
            }
        }
    }

    /** All bodies, one call each. */
    public static class AllMoved extends Captured {
        @Override
        void write(PoseWriter poses, AlternatingPoses from) {
            writeEach(poses, from, 1);
        }
    }

    /** All bodies, one call. */
    public static class AllMovedBulk extends Captured {
        @Override
        void write(PoseWriter poses, AlternatingPoses from) {
            writeAll(poses, from);
        }
    }

    /** No body. */
    public static class Unmoved extends Captured {
        @Override
        void write(PoseWriter poses, AlternatingPoses from) {
            // Nothing moved.
        }
    }

    /** Some bodies of every block, the worst that so few can do: blocks, not bodies, are copied or left alone. */
    public static class OneInHundredMoved extends Captured {
        @Override
        void write(PoseWriter poses, AlternatingPoses from) {
            writeEach(poses, from, 100);
        }
    }

    /**
     * All bodies, with velocities derived from their positions. They all go round the same circle, because a motion to and
     * fro has no tangent and would be noted as a motion break of every body.
     */
    public static class DerivedTangents extends Captured {

        private static final double RADIANS_A_TICK = 0.02;

        private double angle;

        /** Made by JMH. */
        public DerivedTangents() {
            super(new PoseLayout(PoseLayout.Tangents.DERIVED, List.of()));
        }

        @Override
        void write(PoseWriter poses, AlternatingPoses from) {
            angle += RADIANS_A_TICK;
            writeMovedBy(poses, from, (float) Math.cos(angle), (float) Math.sin(angle));
        }

        private void writeMovedBy(PoseWriter poses, AlternatingPoses from, float x, float y) {
            float[] centres = from.firstPositions();
            float[] rotations = from.rotations();
            poses.bodyCount(bodies);
            for (int body = 0; body < bodies; body++) {
                int p = 3 * body;
                int r = 4 * body;
                poses.set(
                        body,
                        centres[p] + x,
                        centres[p + 1] + y,
                        centres[p + 2],
                        rotations[r],
                        rotations[r + 1],
                        rotations[r + 2],
                        rotations[r + 3]);
            }
        }
    }

    /** An object per position and one per rotation, of a single snapshot without readers. */
    public static class Joml extends BodyCount {

        private AlternatingPoses simulated = new AlternatingPoses(0);
        private JomlPoses poses = new JomlPoses(new PoseBlocks(0));

        /** Makes the objects. */
        @Setup
        public void create() {
            simulated = new AlternatingPoses(bodies);
            poses = new JomlPoses(Poses.room(bodies));
        }

        JomlPoses copy() {
            simulated.step();
            poses.copy(simulated.positions(), simulated.rotations());
            return poses;
        }
    }

    /**
     * Where a simulation keeps its bodies: interleaved positions and rotations, of two ticks in turns, so that from step to step
     * every body really moves.
     */
    static final class AlternatingPoses {

        private final float[][] positions;
        private final float[][] rotations;
        private int current;

        AlternatingPoses(int bodies) {
            positions = new float[2][3 * bodies];
            rotations = new float[2][4 * bodies];
            TumblingBodies world = new TumblingBodies(bodies);
            world.fill(1, positions[0], rotations[0]);
            world.fill(2, positions[1], rotations[1]);
        }

        void step() {
            current ^= 1;
        }

        /** x, y, z for each body, metres. */
        float[] positions() {
            return positions[current];
        }

        /** x, y, z for each body, the same in every step. */
        float[] firstPositions() {
            return positions[0];
        }

        /** Unit quaternion x, y, z, w for each body. */
        float[] rotations() {
            return rotations[current];
        }
    }

    @Benchmark
    public Snapshot escapementAllMoved(AllMoved state) throws Exception {
        return state.tick();
    }

    @Benchmark
    public Snapshot escapementAllMovedBulk(AllMovedBulk state) throws Exception {
        return state.tick();
    }

    @Benchmark
    public Snapshot escapementUnmoved(Unmoved state) throws Exception {
        return state.tick();
    }

    @Benchmark
    public Snapshot escapementOneInHundredMoved(OneInHundredMoved state) throws Exception {
        return state.tick();
    }

    @Benchmark
    public Snapshot escapementDerivedTangents(DerivedTangents state) throws Exception {
        return state.tick();
    }

    @Benchmark
    public Object jomlCopy(Joml state) {
        return state.copy();
    }

    @Benchmark
    public PoseBlocks floorCopy(Copy state) {
        return state.copy();
    }
}
