package dev.escapement.render;

import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import java.util.Locale;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * The prediction error of a view that looks ahead: the distance and angle between where a body was drawn and where it turned out to be at
 * that moment. {@link dev.escapement.render.clock.AnimationError} measures time, this measures poses.
 *
 * <pre>{@code
 * PredictionError error = new PredictionError(how);
 * view.advance(System.nanoTime());
 * error.frame(view); // once a frame
 * double p99Millimetres = error.millimetres(99);
 * }</pre>
 *
 * The poses of a frame are kept until the snapshots on both sides of its moment were published. While {@value #KEPT} frames are kept,
 * further ones are left out, and counted. Resting bodies do not count: they would hide errors in a percentile.
 *
 * <p>The thread of the view. For measurements: it blends all bodies twice, as drawn and for the truth. Allocates nothing unless the number
 * of bodies grows.
 */
public final class PredictionError {

    private static final int KEPT = 16;
    private static final long MAX_NANOMETRES = 1_000_000_000_000L;
    private static final long MAX_NANORADIANS = 4_000_000_000L;
    private static final int SIGNIFICANT_DIGITS = 3;
    private static final double NANOS_A_MILLI = 1e6;
    private static final double NANOS = 1e9;

    /** The poses that a frame drew. */
    private static final class Drawn {
        private static final long NONE = Long.MIN_VALUE;

        long simNanos = NONE;
        private final PoseBlocks poses = new PoseBlocks(0);
        private double originX;
        private double originY;
        private double originZ;
        private long[] ids = {};

        /** Whether each body moved in the window. */
        private boolean[] moved = {};
    }

    private final Interpolator truth;
    private final Drawn[] kept = Stream.generate(Drawn::new).limit(KEPT).toArray(Drawn[]::new);
    private final Histogram nanometres = new Histogram(1, MAX_NANOMETRES, SIGNIFICANT_DIGITS);
    private final Histogram nanoradians = new Histogram(1, MAX_NANORADIANS, SIGNIFICANT_DIGITS);
    private long unknownFrames;
    private int next;
    private long lastSimNanos = Drawn.NONE;

    /**
     * Creates a measurement without frames.
     *
     * @param how how the view interpolates
     */
    public PredictionError(Interpolation how) {
        truth = new Interpolator(new Interpolation(how.positions()));
    }

    /**
     * Adds a frame, and measures earlier ones whose true poses are known now.
     *
     * @param view the view, already advanced, always the same one
     * @throws IllegalStateException if the view has nothing to show yet, or belongs to another thread
     */
    public void frame(FrameView view) {
        Window window = view.window();
        boolean isNew = view.clock().shownSimNanos() != lastSimNanos; // not in a pause
        if (isNew && kept[next].simNanos == Drawn.NONE) {
            keep(view, window, kept[next]);
            next = (next + 1) % KEPT;
        } else if (isNew) {
            unknownFrames++;
        }
        lastSimNanos = view.clock().shownSimNanos();
        for (Drawn drawn : kept) {
            measureIfKnown(window, drawn);
        }
    }

    private void keep(FrameView view, Window window, Drawn drawn) {
        Snapshot shown = view.shown();
        PoseBlocks poses = view.poses();
        int slots = poses.slotCount();
        if (slots > drawn.ids.length) {
            drawn.ids = new long[slots];
            drawn.moved = new boolean[slots];
        }
        drawn.simNanos = view.clock().shownSimNanos();
        drawn.originX = shown.originX();
        drawn.originY = shown.originY();
        drawn.originZ = shown.originZ();
        drawn.poses.resize(slots);
        Bodies bodies = shown.bodies();
        for (int b = 0; b < poses.blockCount(); b++) {
            drawn.poses.block(b).copyFrom(poses.block(b), 0, poses.slotsIn(b));
        }
        for (int slot = 0; slot < slots; slot++) {
            drawn.ids[slot] = bodies.exists(slot) ? bodies.id(slot) : Drawn.NONE;
            drawn.moved[slot] = false;
            for (int i = 1; i < window.size(); i++) {
                drawn.moved[slot] |= hasMoved(window.snapshot(i - 1), window.snapshot(i), slot);
            }
        }
    }

    private static boolean hasMoved(Snapshot previous, Snapshot current, int slot) {
        if (slot >= previous.poses().slotCount() || slot >= current.poses().slotCount()) {
            return false;
        }
        PoseBlock p = previous.poses().blockOf(slot);
        PoseBlock q = current.poses().blockOf(slot);
        int i = slot & PoseBlock.MASK;
        return q.px[i] - p.px[i] + current.originX() - previous.originX() != 0
                || q.py[i] - p.py[i] + current.originY() - previous.originY() != 0
                || q.pz[i] - p.pz[i] + current.originZ() - previous.originZ() != 0
                || p.qx[i] != q.qx[i]
                || p.qy[i] != q.qy[i]
                || p.qz[i] != q.qz[i]
                || p.qw[i] != q.qw[i];
    }

    private void measureIfKnown(Window window, Drawn drawn) {
        TickRate rate = window.timeline().rate();
        if (drawn.simNanos == Drawn.NONE || drawn.simNanos >= rate.nanosAt(window.newestTick())) {
            return;
        }
        long tick = rate.tickAt(drawn.simNanos);
        int at = (int) (tick - window.oldestTick());
        if (at < 0) {
            unknownFrames++;
        } else {
            long previousNanos = rate.nanosAt(tick);
            float alpha = (float) (drawn.simNanos - previousNanos) / (rate.nanosAt(tick + 1) - previousNanos);
            Snapshot previous = window.snapshot(at);
            Snapshot current = window.snapshot(at + 1);
            truth.show(previous, current, alpha, rate.dtSeconds());
            compare(drawn, previous, current);
        }
        drawn.simNanos = Drawn.NONE;
    }

    private void compare(Drawn drawn, Snapshot previous, Snapshot current) {
        Snapshot shown = truth.shown();
        Bodies bodies = shown.bodies();
        double dx = drawn.originX - shown.originX();
        double dy = drawn.originY - shown.originY();
        double dz = drawn.originZ - shown.originZ();
        int slots = Math.min(bodies.slotCount(), drawn.poses.slotCount());
        for (int slot = 0; slot < slots; slot++) {
            PoseBlock is = drawn.poses.blockOf(slot);
            PoseBlock was = truth.block(slot >>> PoseBlock.SHIFT);
            int i = slot & PoseBlock.MASK;
            boolean isSame = bodies.exists(slot) && bodies.id(slot) == drawn.ids[slot];
            if (isSame && (drawn.moved[slot] || hasMoved(previous, current, slot))) {
                double x = is.px[i] - was.px[i] + dx;
                double y = is.py[i] - was.py[i] + dy;
                double z = is.pz[i] - was.pz[i] + dz;
                add(Math.sqrt(x * x + y * y + z * z), angle(is, was, i));
            }
        }
    }

    /** The angle between two rotations, radians: 4 asin(|a - b| / 2), with the nearer sign. */
    private static double angle(PoseBlock a, PoseBlock b, int i) {
        double dot = (double) a.qx[i] * b.qx[i]
                + (double) a.qy[i] * b.qy[i]
                + (double) a.qz[i] * b.qz[i]
                + (double) a.qw[i] * b.qw[i];
        double sign = dot < 0 ? -1 : 1;
        double x = a.qx[i] - sign * b.qx[i];
        double y = a.qy[i] - sign * b.qy[i];
        double z = a.qz[i] - sign * b.qz[i];
        double w = a.qw[i] - sign * b.qw[i];
        return 4 * Math.asin(Math.min(1, Math.sqrt(x * x + y * y + z * z + w * w) / 2));
    }

    private void add(double distance, double angle) {
        nanometres.recordValue(Math.min(MAX_NANOMETRES, Math.round(distance * NANOS)));
        nanoradians.recordValue(Math.min(MAX_NANORADIANS, Math.round(angle * NANOS)));
    }

    /** Forgets all errors and all kept frames: for the end of a warm-up. */
    public void reset() {
        for (Drawn drawn : kept) {
            drawn.simNanos = Drawn.NONE;
        }
        nanometres.reset();
        nanoradians.reset();
        unknownFrames = 0;
    }

    /** {@return how many errors were measured: moving bodies, of all frames together} */
    public long count() {
        return nanometres.getTotalCount();
    }

    /** {@return how many frames could not be measured: too many were kept, or their snapshots were gone before the view looked again} */
    public long unknownFrames() {
        return unknownFrames;
    }

    /**
     * {@return a percentile of the distances, in millimetres, within a thousandth; 0 if nothing was measured}
     *
     * @param percentile 0 to 100, 99 is usual, 100 the largest
     */
    public double millimetres(double percentile) {
        return nanometres.getValueAtPercentile(percentile) / NANOS_A_MILLI;
    }

    /**
     * {@return a percentile of the angles, in milliradians, within a thousandth; 0 if nothing was measured}
     *
     * @param percentile 0 to 100, 99 is usual, 100 the largest
     */
    public double milliradians(double percentile) {
        return nanoradians.getValueAtPercentile(percentile) / NANOS_A_MILLI;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "PredictionError[p99 %.3f mm, largest %.3f mm; p99 %.3f mrad, largest %.3f mrad; %d frames unknown]",
                millimetres(99),
                millimetres(100),
                milliradians(99),
                milliradians(100),
                unknownFrames);
    }
}
