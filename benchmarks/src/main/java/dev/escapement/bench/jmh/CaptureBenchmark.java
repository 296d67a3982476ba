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

    private static final int FIRST_TICKS = 20;

    /** Bodies of a simulation, of which a benchmark's method captures some in each tick; all at first. */
    public static class Captured extends BodyCount {

        final Capture.Source all = poses -> writeEach(poses, 1);
        final Capture.Source allInBulk = this::writeAll;
        final Capture.Source none = poses -> {};

        /** Some of every block, the worst that so few can do: blocks, not bodies, are copied or left alone. */
        final Capture.Source oneInHundred = poses -> writeEach(poses, 100);

        private final PoseLayout layout;
        private @Nullable CapturedTicks ticks;
        AlternatingPoses simulated = new AlternatingPoses(0);

        public Captured() {
            this(PoseLayout.PLAIN);
        }

        Captured(PoseLayout layout) {
            this.layout = layout;
        }

        /** Captures all bodies until each snapshot has been written twice. */
        @Setup
        public void create() throws Exception {
            simulated = new AlternatingPoses(bodies);
            ticks = new CapturedTicks(bodies, layout);
            for (int tick = 0; tick < FIRST_TICKS; tick++) {
                tick(allInBulk);
            }
        }

        /** Steps the simulation and captures it. */
        Snapshot tick(Capture.Source source) throws Exception {
            simulated.step();
            return Objects.requireNonNull(ticks).capture(source);
        }

        private void writeAll(PoseWriter poses) {
            poses.bodyCount(bodies);
            poses.setAll(0, bodies, simulated.positions(), simulated.rotations());
        }

        /** Writes bodies 0, {@code distance}, twice that and so on. */
        private void writeEach(PoseWriter poses, int distance) {
            float[] positions = simulated.positions();
            float[] rotations = simulated.rotations();
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

    /**
     * All bodies, with velocities derived from their positions. They all go round the same circle, because a motion to and
     * fro has no tangent and would be noted as a motion break of every body.
     */
    public static class DerivedTangents extends Captured {

        private static final double RADIANS_A_TICK = 0.02;

        final Capture.Source circling = this::writeCircling;
        private double angle;

        public DerivedTangents() {
            super(new PoseLayout(PoseLayout.Tangents.DERIVED, List.of()));
        }

        private void writeCircling(PoseWriter poses) {
            angle += RADIANS_A_TICK;
            float x = (float) Math.cos(angle);
            float y = (float) Math.sin(angle);
            float[] centres = simulated.firstPositions();
            float[] rotations = simulated.rotations();
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
     * Where a simulation keeps its bodies: interleaved positions (metres) and unit quaternions, of two ticks in turns, so that from step
     * to step every body really moves.
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

        float[] positions() {
            return positions[current];
        }

        float[] firstPositions() {
            return positions[0];
        }

        float[] rotations() {
            return rotations[current];
        }
    }

    @Benchmark
    public Snapshot escapementAllMoved(Captured state) throws Exception {
        return state.tick(state.all);
    }

    @Benchmark
    public Snapshot escapementAllMovedBulk(Captured state) throws Exception {
        return state.tick(state.allInBulk);
    }

    @Benchmark
    public Snapshot escapementUnmoved(Captured state) throws Exception {
        return state.tick(state.none);
    }

    @Benchmark
    public Snapshot escapementOneInHundredMoved(Captured state) throws Exception {
        return state.tick(state.oneInHundred);
    }

    @Benchmark
    public Snapshot escapementDerivedTangents(DerivedTangents state) throws Exception {
        return state.tick(state.circling);
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
