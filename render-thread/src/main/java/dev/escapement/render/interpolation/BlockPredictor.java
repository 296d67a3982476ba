package dev.escapement.render.interpolation;

import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.MotionBreaks.Kind;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.List;

/**
 * Extrapolates a block beyond the newest known tick, as if its bodies kept their velocities.
 *
 * <pre>
 *   new(alpha) = x(n) + v(n) (ahead + alpha - 1),  old(alpha) = x(n-1) + v(n-1) (ahead + alpha)
 *   shown = new + (old - new) fading
 * </pre>
 *
 * n is the current tick (poses q), n-1 the previous tick (p), n-2 the tick before that (r). v is the displacement in a tick. old is the
 * prediction of the previous tick: its weight, fading, is 1 at first, and falls to 0 within {@value #FADE_TICKS} ticks, by a cubic that
 * begins and ends level. So a prediction error fades without a jump of position or velocity. No state is kept between frames: the same
 * moment looks the same from every window. Quaternions are extrapolated likewise and normalised: within 0.3 mrad for 10 rad/s, 2 mrad for
 * 20 rad/s at 100 Hz. Motion breaks of the previous tick change a copy of r, as if the bodies had always moved as they did in that tick.
 * Bodies with motion breaks in the current tick are predicted one by one after the loops.
 *
 * <p>One thread. Allocates nothing.
 */
final class BlockPredictor {

    private static final float FADE_TICKS = 0.25f;
    private static final int NONE = -1;

    private final CorrectedBlock rightP = new CorrectedBlock();
    private final CorrectedBlock rightR = new CorrectedBlock();

    /** The copy of r for a block with motion breaks in the previous tick. */
    private PoseBlock continuedR = new PoseBlock();

    // The same for all blocks of a frame.
    private float alpha;
    private float ahead;

    /** The moment, in ticks after the previous one. */
    private float since;

    /** True if the tick before the previous one is known, so that r is not p. */
    private boolean isKnown;

    /** The weights of the displacements in the current and the previous tick, which are added to the position at the current tick. */
    private float last;

    private float before;
    private long previousTick;
    private long currentTick;
    private boolean showsCurrent;
    private float fading;

    private List<Channel> channels = List.of();

    /** Convert positions between the snapshots' origins. */
    private final float[] currentToShown = new float[3];

    private final float[] currentToPrevious = new float[3];
    private final float[] previousToBefore = new float[3];

    /** Begins a frame; {@code beforePrevious} is {@code previous} itself if the tick before it is not known. */
    void begin(
            Snapshot beforePrevious,
            Snapshot previous,
            Snapshot current,
            Snapshot shown,
            float newAlpha,
            float newAhead) {
        alpha = newAlpha;
        ahead = newAhead;
        since = alpha + ahead;
        float faded = Math.min(1, alpha / Math.min(FADE_TICKS, ahead));
        fading = 1 - faded * faded * (3 - 2 * faded);
        isKnown = beforePrevious != previous;
        last = isKnown ? since * (1 - fading) - 1 : since - 1;
        before = isKnown ? since * fading : 0;
        previousTick = previous.tick();
        currentTick = current.tick();
        showsCurrent = shown == current;
        channels = current.layout().channels();
        if (continuedR.channels.length != channels.size()) {
            continuedR = new PoseBlock(channels.size());
        }
        originShift(current, shown, currentToShown);
        originShift(current, previous, currentToPrevious);
        originShift(previous, beforePrevious, previousToBefore);
    }

    /** The weight of the prediction that the previous tick made, 0 if the tick before it is not known. */
    float fading() {
        return isKnown ? fading : 0;
    }

    private static void originShift(Snapshot one, Snapshot other, float[] out) {
        out[0] = (float) (one.originX() - other.originX());
        out[1] = (float) (one.originY() - other.originY());
        out[2] = (float) (one.originZ() - other.originZ());
    }

    /** Predicts a block that changed in the current tick or in the previous one. */
    void predict(Snapshot beforePrevious, Snapshot previous, Snapshot current, int b, PoseBlock out, int slots) {
        MotionBlock motion = current.motion(b);
        MotionBlock motionBefore = previous.motion(b);
        boolean isNew = count(motion, currentTick) > 0;
        boolean wasNew = count(motionBefore, previousTick) > 0;
        PoseBlock q = current.poses().block(b);
        PoseBlock known = previous.poses().block(b);
        int n = Interpolator.slotsInBoth(known, q, slots);
        PoseBlock p = rightP.of(known, motion, isNew, n);
        PoseBlock r = p;
        if (b < beforePrevious.poses().blockCount()) {
            r = rightR.of(beforePrevious.poses().block(b), motionBefore, wasNew && isKnown, n);
            r = rightR.of(r, motion, isNew, n); // so that it is as far from p as before
        }
        if (wasNew) {
            continueMotions(r, p, motionBefore.breaks(), n);
            r = continuedR;
        }
        PoseBlock read = before == 0 ? p : r; // usually no error fades: then r need not be loaded
        rotations(read, p, q, out, n); // first: it stores its scale in out.px
        positions(read, p, q, out, n);
        for (int c = 0; c < channels.size(); c++) {
            channel(channels.get(c).blending(), read.channels[c], p.channels[c], q.channels[c], out.channels[c], n);
        }
        predictSpins(r, p, q, motionBefore, motion, out, n);
        out.copyFrom(showsCurrent ? q : known, n, slots - n);
        predictPlaces(r, p, q, motion, out, n, showsCurrent ? slots : n);
    }

    /** The number of motion breaks of a block in a tick. */
    private static int count(MotionBlock motion, long tick) {
        return motion.changedTick() == tick ? motion.breaks().count() : 0;
    }

    /** Copies r into {@link #continuedR} and removes breaks: a jump of a body moves its r, a body with a broken motion rested at p. */
    private void continueMotions(PoseBlock r, PoseBlock p, MotionBreaks breaks, int n) {
        continuedR.copyFrom(r, 0, n);
        for (int s = 0; s < breaks.count(); s++) {
            if (breaks.kind(s) == Kind.SHIFTED) {
                int i = breaks.index(s);
                continuedR.px[i] += breaks.x(s);
                continuedR.py[i] += breaks.y(s);
                continuedR.pz[i] += breaks.z(s);
            }
        }
        for (int s = 0; s < breaks.count(); s++) { // last: a broken motion overrides everything else
            if (breaks.kind(s) == Kind.BROKEN) {
                int i = breaks.index(s);
                continuedR.copyFrom(p, i, 1);
                continuedR.px[i] += previousToBefore[0];
                continuedR.py[i] += previousToBefore[1];
                continuedR.pz[i] += previousToBefore[2];
            }
        }
    }

    private void rotations(PoseBlock r, PoseBlock p, PoseBlock q, PoseBlock out, int n) {
        VectorLoops.extrapolate(r.qx, p.qx, q.qx, 0, 0, 0, last, before, out.qx, n);
        VectorLoops.extrapolate(r.qy, p.qy, q.qy, 0, 0, 0, last, before, out.qy, n);
        VectorLoops.extrapolate(r.qz, p.qz, q.qz, 0, 0, 0, last, before, out.qz, n);
        VectorLoops.extrapolate(r.qw, p.qw, q.qw, 0, 0, 0, last, before, out.qw, n);
        VectorLoops.normalise(out.qx, out.qy, out.qz, out.qw, out.px, n);
    }

    private void positions(PoseBlock r, PoseBlock p, PoseBlock q, PoseBlock out, int n) {
        extrapolate(r.px, p.px, q.px, 0, out.px, n);
        extrapolate(r.py, p.py, q.py, 1, out.py, n);
        extrapolate(r.pz, p.pz, q.pz, 2, out.pz, n);
    }

    private void extrapolate(float[] r, float[] p, float[] q, int axis, float[] out, int n) {
        VectorLoops.extrapolate(
                r, p, q, currentToShown[axis], currentToPrevious[axis], previousToBefore[axis], last, before, out, n);
    }

    /** Extrapolates angles. Other channels may have bounds, so they are only blended. */
    private void channel(Channel.Blending blending, float[] r, float[] p, float[] q, float[] out, int n) {
        switch (blending) {
            case STEP -> System.arraycopy(showsCurrent ? q : p, 0, out, 0, n);
            case LINEAR -> VectorLoops.lerp(p, q, 0, alpha, out, n);
            case ANGLE -> VectorLoops.extrapolateAngle(r, p, q, last, before, out, n);
        }
    }

    /** Corrects the bodies that turn by more than half a turn in the current tick, in the previous tick, or in both. */
    private void predictSpins(
            PoseBlock r, PoseBlock p, PoseBlock q, MotionBlock motionBefore, MotionBlock motion, PoseBlock out, int n) {
        MotionBreaks breaksBefore = motionBefore.breaks();
        MotionBreaks breaks = motion.breaks();
        int countBefore = count(motionBefore, previousTick);
        int count = count(motion, currentTick);
        for (int s = 0; s < count; s++) {
            int i = breaks.index(s);
            if (breaks.kind(s) == Kind.SPINNING && i < n) {
                spin(r, p, q, i, breaksBefore, spinOf(breaksBefore, countBefore, i), breaks, s, out);
            }
        }
        for (int e = 0; e < countBefore; e++) {
            int i = breaksBefore.index(e);
            boolean isSpin = i < n && spinOf(breaksBefore, countBefore, i) == e;
            if (isSpin && spinOf(breaks, count, i) == NONE) {
                spin(r, p, q, i, breaksBefore, e, breaks, NONE, out);
            }
        }
    }

    /** The SPINNING motion break of a body among the {@code count} of a tick; NONE if it has none, or its motion is broken. */
    private static int spinOf(MotionBreaks breaks, int count, int i) {
        int spin = NONE;
        for (int e = count > 0 ? breaks.last(i) : NONE; e >= 0; e = breaks.before(e)) {
            if (breaks.kind(e) == Kind.BROKEN) {
                return NONE;
            }
            spin = breaks.kind(e) == Kind.SPINNING && spin == NONE ? e : spin;
        }
        return spin;
    }

    private void spin(
            PoseBlock r,
            PoseBlock p,
            PoseBlock q,
            int i,
            MotionBreaks breaksBefore,
            int e,
            MotionBreaks breaks,
            int s,
            PoseBlock out) {
        if (e >= 0) {
            turn(p, breaksBefore, e, out);
        } else {
            turn(r, p, p, i, 0, since, out);
        }
        float x = out.qx[i];
        float y = out.qy[i];
        float z = out.qz[i];
        float w = out.qw[i];
        if (s >= 0) {
            turn(p, breaks, s, out);
        } else {
            turn(p, p, q, i, since - 1, 0, out);
        }
        float part = isKnown || e >= 0 ? fading : 0;
        float near = x * out.qx[i] + y * out.qy[i] + z * out.qz[i] + w * out.qw[i] < 0 ? -part : part;
        x = x * near + out.qx[i] * (1 - part);
        y = y * near + out.qy[i] * (1 - part);
        z = z * near + out.qz[i] * (1 - part);
        w = w * near + out.qw[i] * (1 - part);
        storeNormalised(x, y, z, w, i, out);
    }

    private void turn(PoseBlock p, MotionBreaks breaks, int s, PoseBlock out) {
        RotationVector.turn(p, breaks.index(s), breaks.x(s), breaks.y(s), breaks.z(s), since, out);
    }

    /** Extrapolates a rotation from q by weights of the last two turns. */
    private static void turn(PoseBlock r, PoseBlock p, PoseBlock q, int i, float last, float before, PoseBlock out) {
        float x = q.qx[i] + (q.qx[i] - p.qx[i]) * last + (p.qx[i] - r.qx[i]) * before;
        float y = q.qy[i] + (q.qy[i] - p.qy[i]) * last + (p.qy[i] - r.qy[i]) * before;
        float z = q.qz[i] + (q.qz[i] - p.qz[i]) * last + (p.qz[i] - r.qz[i]) * before;
        float w = q.qw[i] + (q.qw[i] - p.qw[i]) * last + (p.qw[i] - r.qw[i]) * before;
        storeNormalised(x, y, z, w, i, out);
    }

    private static void storeNormalised(float x, float y, float z, float w, int i, PoseBlock out) {
        float scale = 1 / (float) Math.sqrt(x * x + y * y + z * z + w * w);
        out.qx[i] = x * scale;
        out.qy[i] = y * scale;
        out.qz[i] = z * scale;
        out.qw[i] = w * scale;
    }

    /** Corrects the bodies that jump, and those up to slot {@code end} whose motion is broken in the current tick. */
    private void predictPlaces(
            PoseBlock r, PoseBlock p, PoseBlock q, MotionBlock motion, PoseBlock out, int n, int end) {
        MotionBreaks breaks = motion.breaks();
        int count = count(motion, currentTick);
        for (int s = 0; s < count; s++) {
            int i = breaks.index(s);
            if (i < n && breaks.kind(s) == Kind.SHIFTED) {
                out.px[i] = place(i, 0, r.px, p.px, q.px, breaks.x(s));
                out.py[i] = place(i, 1, r.py, p.py, q.py, breaks.y(s));
                out.pz[i] = place(i, 2, r.pz, p.pz, q.pz, breaks.z(s));
            }
        }
        for (int s = 0; s < count; s++) { // last: a broken motion overrides everything else
            if (breaks.kind(s) == Kind.BROKEN && breaks.index(s) < end) {
                stay(r, p, q, breaks.index(s), out);
            }
        }
    }

    /** Extrapolates a coordinate of a body that jumped in addition to its motion, with the bits of the loops. */
    private float place(int i, int axis, float[] r, float[] p, float[] q, float jump) {
        float place = q[i] + currentToShown[axis];
        float way = q[i] + currentToPrevious[axis] - (p[i] + jump);
        return place + way * last + (p[i] + previousToBefore[axis] - r[i]) * before;
    }

    /** Extrapolates a body whose motion is broken at the current tick from its previous pose until then; afterwards it has the new pose. */
    private void stay(PoseBlock r, PoseBlock p, PoseBlock q, int i, PoseBlock out) {
        out.copyFrom(showsCurrent ? q : p, i, 1);
        float part = showsCurrent || !isKnown ? 0 : ahead;
        if (part > 0) {
            turn(r, p, p, i, 0, part, out);
            out.px[i] += (p.px[i] + previousToBefore[0] - r.px[i]) * part;
            out.py[i] += (p.py[i] + previousToBefore[1] - r.py[i]) * part;
            out.pz[i] += (p.pz[i] + previousToBefore[2] - r.pz[i]) * part;
        }
    }
}
