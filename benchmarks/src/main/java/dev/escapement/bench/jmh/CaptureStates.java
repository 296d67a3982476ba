package dev.escapement.bench.jmh;

import dev.escapement.bench.handoff.Poses;
import dev.escapement.state.capture.Capture;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Setup;

/**
 * What the methods of {@link CaptureBenchmark} work on. Each makes only what it needs, so that a million bodies fit a heap
 * of 2 GB.
 */
public final class CaptureStates {

    /** Twice as many as there are snapshots: each has been written, and written again. */
    private static final int FIRST_TICKS = 20;

    private CaptureStates() {}

    /** Bodies that a source writes, tick by tick. */
    public abstract static class Captured extends BodyCount {

        private final PoseLayout layout;
        private final Capture.Source source = this::write;
        private @Nullable CapturedTicks ticks;
        private AlternatingPoses simulated = new AlternatingPoses(0);

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
        /** Made by JMH. */
        public AllMoved() {
            super(PoseLayout.PLAIN);
        }

        @Override
        void write(PoseWriter poses, AlternatingPoses from) {
            writeEach(poses, from, 1);
        }
    }

    /** All bodies, one call. */
    public static class AllMovedBulk extends Captured {
        /** Made by JMH. */
        public AllMovedBulk() {
            super(PoseLayout.PLAIN);
        }

        @Override
        void write(PoseWriter poses, AlternatingPoses from) {
            writeAll(poses, from);
        }
    }

    /** No body. */
    public static class Unmoved extends Captured {
        /** Made by JMH. */
        public Unmoved() {
            super(PoseLayout.PLAIN);
        }

        @Override
        void write(PoseWriter poses, AlternatingPoses from) {
            // Nothing moved.
        }
    }

    /** Some bodies of every block, the worst that so few can do: blocks, not bodies, are copied or left alone. */
    public static class OneInHundredMoved extends Captured {
        /** Made by JMH. */
        public OneInHundredMoved() {
            super(PoseLayout.PLAIN);
        }

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

    /** An object per position and one per rotation, of a single snapshot that nobody else reads. */
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
}
