package dev.escapement.render.interpolation;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.MotionBreaks.Kind;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;

/**
 * Extrapolates a block beyond the newest known tick, as if its bodies kept their velocities.
 *
 * <pre>
 *   new(alpha) = x(n) + v(n) (ahead + alpha - 1),  old(alpha) = x(n-1) + v(n-1) (ahead + alpha)
 *   shown = new + (old - new) olderWeight
 * </pre>
 *
 * n is the current tick (poses q), n-1 the previous tick (p), n-2 the tick before that (r). v is the displacement in a tick. The weight of
 * the older prediction starts at 1 and falls to 0 within {@value #FADE_TICKS} ticks, by a cubic that begins and ends level. So a
 * prediction error fades without a jump of position or velocity. No state is kept between frames, so that a moment looks the same from
 * every window.
 *
 * <p>Quaternions are extrapolated in the same way, then normalised: the error at 100 Hz is 0.3 mrad for 10 rad/s, 2 mrad for 20 rad/s.
 * Motion breaks of the previous tick change a copy of r, as if the bodies had always moved as they did in that tick. Bodies with motion
 * breaks in the current tick are predicted one by one after the loops. A body that rotates by more than 180 degrees in the current tick
 * only continues that spin: an older prediction of it need not fade, because nobody sees a jump at that speed. If the centre of mass of a
 * body is not its position, the centre is extrapolated instead, with the same weights and the offset of the current tick (see {@link
 * MassCentre}).
 *
 * <p>One thread. Allocates nothing.
 */
final class BlockPredictor {

    private static final float FADE_TICKS = 0.25f;

    private final CorrectedBlock correctedP = new CorrectedBlock();
    private final CorrectedBlock correctedR = new CorrectedBlock();
    private final MassCentre centres = new MassCentre();

    private final Interpolator interpolator;

    // State of the frame, the same for all of its blocks.

    /** The displayed moment, in ticks after the previous tick. */
    private float ticksSincePrevious;

    /** True if the window has the tick before the previous one, whose poses are r. Otherwise r is p. */
    private boolean isKnown;

    /** The weight of the older prediction, which extrapolates from the previous tick; 0 if it lacks the tick before that. */
    float olderWeight;

    // The weights of the displacements in the current and the previous tick, added to the position at the current tick.
    private float lastWeight;
    private float priorWeight;

    private boolean showsCurrent;

    // Added to positions, to convert them between the snapshots' origins.
    private final float[] currentToShown = new float[3];
    private final float[] currentToPrevious = new float[3];
    private final float[] previousToBefore = new float[3];

    // The block being predicted: its poses in the last three ticks, without the errors that later ticks correct.
    private PoseBlock r = new PoseBlock();
    private PoseBlock p = r;
    private PoseBlock q = r;
    private PoseBlock out = r;

    BlockPredictor(Interpolator interpolator) {
        this.interpolator = interpolator;
    }

    /** Begins a frame, at the moment of the interpolator. */
    void begin() {
        Snapshot previous = interpolator.previous;
        Snapshot current = interpolator.current;
        ticksSincePrevious = interpolator.ticksSincePrevious();
        float elapsed = Math.min(1, interpolator.alpha / Math.min(FADE_TICKS, interpolator.ahead));
        isKnown = interpolator.beforePrevious != previous;
        olderWeight = isKnown ? 1 - elapsed * elapsed * (3 - 2 * elapsed) : 0;
        lastWeight = ticksSincePrevious * (1 - olderWeight) - 1;
        priorWeight = ticksSincePrevious * olderWeight;
        showsCurrent = interpolator.shown() == current;
        originShift(current, interpolator.shown(), currentToShown);
        originShift(current, previous, currentToPrevious);
        originShift(previous, interpolator.beforePrevious, previousToBefore);
    }

    private static void originShift(Snapshot one, Snapshot other, float[] out) {
        out[0] = (float) (one.originX() - other.originX());
        out[1] = (float) (one.originY() - other.originY());
        out[2] = (float) (one.originZ() - other.originZ());
    }

    /** Predicts a block that changed in the current tick or in the previous one. */
    void predict(int b, PoseBlock into, int slots) {
        Snapshot beforePrevious = interpolator.beforePrevious;
        Snapshot previous = interpolator.previous;
        Snapshot current = interpolator.current;
        MotionBreaks breaks = current.motion(b).breaks();
        MotionBreaks breaksBefore = previous.motion(b).breaks();
        int count = current.motion(b).changedTick() == current.tick() ? breaks.count() : 0;
        int countBefore = previous.motion(b).changedTick() == previous.tick() ? breaksBefore.count() : 0;
        PoseBlock published = previous.poses().block(b);
        out = into;
        q = current.poses().block(b);
        int n = Interpolator.slotsInBoth(published, q, slots);
        p = correctedP.withoutErrors(published, breaks, count, n);
        r = p;
        if (b < beforePrevious.poses().blockCount()) {
            r = correctedR.withoutErrors(beforePrevious.poses().block(b), breaksBefore, isKnown ? countBefore : 0, n);
            r = correctedR.withoutErrors(r, breaks, count, n); // as from p, to keep the displacement from r to p
        }
        if (countBefore > 0) {
            r = correctedR.copyOf(r, n);
            continueMotions(breaksBefore);
        }
        PoseBlock read = priorWeight == 0 ? p : r; // if no old prediction fades, r need not be loaded
        // Rotations before positions: out.px holds the scale of the quaternions until the positions overwrite it.
        extrapolate(read.qx, p.qx, q.qx, 0, 0, 0, out.qx, n);
        extrapolate(read.qy, p.qy, q.qy, 0, 0, 0, out.qy, n);
        extrapolate(read.qz, p.qz, q.qz, 0, 0, 0, out.qz, n);
        extrapolate(read.qw, p.qw, q.qw, 0, 0, 0, out.qw, n);
        VectorLoops.normalise(out.qx, out.qy, out.qz, out.qw, out.px, n);
        positions(read.px, p.px, q.px, 0, out.px, n);
        positions(read.py, p.py, q.py, 1, out.py, n);
        positions(read.pz, p.pz, q.pz, 2, out.pz, n);
        // Channels are only blended: they may have bounds, which an extrapolation could exceed.
        BlockBlender.channels(current, p, q, showsCurrent ? q : p, interpolator.alpha, out, n);
        for (int s = 0; s < count; s++) {
            if (breaks.kind(s) == Kind.SPINNING && breaks.index(s) < n) {
                RotationVector.rotate(p, breaks, s, ticksSincePrevious, out);
            }
        }
        out.copyFrom(showsCurrent ? q : published, n, slots - n);
        correctPositions(previous.bodyBlock(b), current.bodyBlock(b), breaks, count, n, showsCurrent ? slots : n);
    }

    /** Changes r as if the previous tick had no motion breaks: moves r by a teleport's distance, and sets r to p if a motion is broken. */
    private void continueMotions(MotionBreaks breaks) {
        for (int s = 0; s < breaks.count(); s++) {
            if (breaks.kind(s) == Kind.SHIFTED) {
                int i = breaks.index(s);
                r.px[i] += breaks.x(s);
                r.py[i] += breaks.y(s);
                r.pz[i] += breaks.z(s);
            }
        }
        for (int s = 0; s < breaks.count(); s++) { // last: a broken motion overrides everything else
            if (breaks.kind(s) == Kind.BROKEN) {
                int i = breaks.index(s);
                r.copyFrom(p, i, 1);
                r.px[i] += previousToBefore[0];
                r.py[i] += previousToBefore[1];
                r.pz[i] += previousToBefore[2];
            }
        }
    }

    private void positions(float[] o, float[] a, float[] b, int axis, float[] into, int n) {
        extrapolate(o, a, b, currentToShown[axis], currentToPrevious[axis], previousToBefore[axis], into, n);
    }

    /**
     * Extrapolates from b + shift by {@link #lastWeight} of the way from a to b + lastShift, and {@link #priorWeight} of the way from o to
     * a + priorShift. The values of resting bodies stay exactly the same. One statement, as the loops of {@link VectorLoops}.
     */
    private void extrapolate(
            float[] o, float[] a, float[] b, float shift, float lastShift, float priorShift, float[] into, int n) {
        float last = lastWeight;
        float prior = priorWeight;
        for (int i = 0; i < n; i++) {
            into[i] = b[i] + shift + (b[i] + lastShift - a[i]) * last + (a[i] + priorShift - o[i]) * prior;
        }
    }

    /**
     * Corrects the bodies that teleport by a distance, the bodies whose centre of mass is not their position, and, up to slot {@code end},
     * the bodies whose motion is broken in the current tick.
     */
    private void correctPositions(
            BodyBlock bodiesBefore, BodyBlock bodies, MotionBreaks breaks, int count, int n, int end) {
        for (int s = 0; s < count; s++) {
            int i = breaks.index(s);
            if (i < n && breaks.kind(s) == Kind.SHIFTED) {
                out.px[i] = coordinate(i, 0, r.px, p.px, q.px, breaks.x(s));
                out.py[i] = coordinate(i, 1, r.py, p.py, q.py, breaks.y(s));
                out.pz[i] = coordinate(i, 2, r.pz, p.pz, q.pz, breaks.z(s));
            }
        }
        for (int i = 0; bodies.offCentreCount() > 0 && i < n; i++) {
            centres.correct(bodies, i, r, p, q, lastWeight, priorWeight, out);
        }
        for (int s = 0; s < count; s++) { // last: a broken motion overrides everything else
            if (breaks.kind(s) == Kind.BROKEN && breaks.index(s) < end) {
                predictBroken(breaks.index(s), bodiesBefore);
            }
        }
    }

    /** Extrapolates a coordinate of a body that teleports by a distance. Rounds exactly as {@link #extrapolate} does. */
    private float coordinate(int i, int axis, float[] o, float[] a, float[] b, float teleport) {
        float position = b[i] + currentToShown[axis];
        float way = b[i] + currentToPrevious[axis] - (a[i] + teleport);
        return position + way * lastWeight + (a[i] + previousToBefore[axis] - o[i]) * priorWeight;
    }

    /**
     * Predicts a body whose motion is broken at the current tick: extrapolates its old pose until then, and shows its new pose afterwards.
     */
    private void predictBroken(int i, BodyBlock bodiesBefore) {
        out.copyFrom(showsCurrent ? q : p, i, 1);
        float part = interpolator.ahead;
        if (!showsCurrent && isKnown) {
            out.qx[i] += (p.qx[i] - r.qx[i]) * part;
            out.qy[i] += (p.qy[i] - r.qy[i]) * part;
            out.qz[i] += (p.qz[i] - r.qz[i]) * part;
            out.qw[i] += (p.qw[i] - r.qw[i]) * part;
            float scale = 1
                    / (float) Math.sqrt(out.qx[i] * out.qx[i]
                            + out.qy[i] * out.qy[i]
                            + out.qz[i] * out.qz[i]
                            + out.qw[i] * out.qw[i]);
            out.qx[i] *= scale;
            out.qy[i] *= scale;
            out.qz[i] *= scale;
            out.qw[i] *= scale;
            out.px[i] += (p.px[i] + previousToBefore[0] - r.px[i]) * part;
            out.py[i] += (p.py[i] + previousToBefore[1] - r.py[i]) * part;
            out.pz[i] += (p.pz[i] + previousToBefore[2] - r.pz[i]) * part;
            centres.correct(bodiesBefore, i, r, p, p, 0, part, out); // bodiesBefore: the slot may have a new body
        }
    }
}
