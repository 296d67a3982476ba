package dev.escapement.render.interpolation;

import dev.escapement.render.interpolation.Interpolation.Positions;
import dev.escapement.state.snapshot.Channel;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.MotionBreaks.Kind;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.List;

/**
 * Extrapolates a block beyond the newest known tick: where its bodies are if they keep their velocities.
 *
 * <pre>
 *   new(alpha) = x(n) + v(n) (ahead + alpha - 1),  old(alpha) = x(n-1) + v(n-1) (ahead + alpha)
 *   shown = new + (old - new) fading
 * </pre>
 *
 * n is the current tick (poses q), n-1 the previous one (p), n-2 the one before (r). v is the displacement in a tick, or the snapshot's
 * velocity times a tick; then new is the Hermite curve of an {@link Interpolator} while the moment is between the two ticks. old is what
 * the previous tick predicted: its weight, fading, is 1 at first, and falls to 0 within {@value #FADE_TICKS} ticks, by a cubic that begins
 * and ends level. So a prediction error fades without a jump of position or velocity, and no state is kept between frames: the same moment
 * looks the same from every window. Quaternions are extrapolated likewise and normalised: within 0.3 mrad for 10 rad/s, 2 mrad for 20 rad/s
 * at 100 Hz.
 *
 * <p>One thread. Allocates nothing.
 */
final class BlockPredictor {

    private static final float FADE_TICKS = 0.25f;
    private static final int NONE = -1;

    private final Positions path;
    private final HermiteWeights hermite = new HermiteWeights();

    // The same for all blocks of a frame.
    private float alpha;
    private float ahead;

    /** The parts of the last tick's displacement, and of the one before, that are added to the position at the current tick. */
    private float last;

    private float before;
    private long previousTick;
    private boolean showsCurrent;
    private boolean curved;
    private float fading;

    /** The same with velocities: the part of the last tick's displacement, and seconds at the velocities of both ticks. */
    private float lastAt;

    private float leave;
    private float arrive;

    /** How far beyond the current tick the moment is. */
    private float beyondSeconds;

    /** How far ahead the previous tick predicted, 0 if the tick before it is not known. */
    private float aheadBefore;

    private float tickSeconds;
    private float aheadSeconds;
    private List<Channel> channels = List.of();

    /** Convert positions between the snapshots' origins. */
    private final float[] currentToShown = new float[3];

    private final float[] currentToPrevious = new float[3];
    private final float[] previousToBefore = new float[3];

    BlockPredictor(Positions path) {
        this.path = path;
    }

    /** Starts a frame; {@code beforePrevious} is {@code previous} itself if the tick before it is not known. */
    void begin(
            Snapshot beforePrevious,
            Snapshot previous,
            Snapshot current,
            Snapshot shown,
            float newAlpha,
            float newAhead,
            double newTickSeconds) {
        alpha = newAlpha;
        tickSeconds = (float) newTickSeconds;
        ahead = newAhead;
        float since = alpha + ahead;
        float faded = Math.min(1, alpha / Math.min(FADE_TICKS, ahead));
        fading = 1 - faded * faded * (3 - 2 * faded);
        boolean isKnown = beforePrevious != previous;
        aheadBefore = isKnown ? ahead : 0;
        last = isKnown ? since * (1 - fading) - 1 : since - 1;
        before = isKnown ? since * fading : 0;
        beyondSeconds = Math.max(0, since - 1) * tickSeconds;
        hermite.set(Math.min(1, since), tickSeconds);
        lastAt = (hermite.along - 1) * (1 - fading) - fading;
        leave = hermite.leaving * (1 - fading) + since * fading * tickSeconds;
        arrive = (hermite.arriving + beyondSeconds) * (1 - fading);
        previousTick = previous.tick();
        showsCurrent = shown == current;
        curved = path == Positions.HERMITE && current.layout().hasTangents();
        aheadSeconds = ahead * tickSeconds;
        channels = current.layout().channels();
        between(current, shown, currentToShown);
        between(current, previous, currentToPrevious);
        between(previous, beforePrevious, previousToBefore);
    }

    private static void between(Snapshot one, Snapshot other, float[] out) {
        out[0] = (float) (one.originX() - other.originX());
        out[1] = (float) (one.originY() - other.originY());
        out[2] = (float) (one.originZ() - other.originZ());
    }

    /** Predicts a block that changed in the current tick or in the previous one. */
    void predict(Snapshot beforePrevious, Snapshot previous, Snapshot current, int b, PoseBlock out, int n) {
        PoseBlock q = current.poses().block(b);
        PoseBlock p = previous.poses().block(b);
        PoseBlock r =
                b < beforePrevious.poses().blockCount() ? beforePrevious.poses().block(b) : p;
        MotionBlock previousMotion = previous.motion(b);
        MotionBlock currentMotion = current.motion(b);
        rotations(r, p, q, out, n); // first: it stores its scale in out.px
        positions(r, p, q, previousMotion, currentMotion, out, n);
        for (int c = 0; c < channels.size(); c++) {
            channel(channels.get(c).blending(), r.channels[c], p.channels[c], q.channels[c], out.channels[c], n);
        }
        if (previousMotion.changedTick() == previousTick) {
            breaksBefore(r, p, q, previousMotion.breaks(), out);
        }
        if (currentMotion.changedTick() == current.tick()) {
            breaks(r, p, q, previousMotion, currentMotion, out);
        }
    }

    private void rotations(PoseBlock r, PoseBlock p, PoseBlock q, PoseBlock out, int n) {
        extrapolate(r.qx, p.qx, q.qx, 0, 0, 0, out.qx, n);
        extrapolate(r.qy, p.qy, q.qy, 0, 0, 0, out.qy, n);
        extrapolate(r.qz, p.qz, q.qz, 0, 0, 0, out.qz, n);
        extrapolate(r.qw, p.qw, q.qw, 0, 0, 0, out.qw, n);
        float[] scale = out.px;
        VectorLoops.inverseLength(out.qx, out.qy, out.qz, out.qw, scale, n);
        VectorLoops.multiply(out.qx, scale, n);
        VectorLoops.multiply(out.qy, scale, n);
        VectorLoops.multiply(out.qz, scale, n);
        VectorLoops.multiply(out.qw, scale, n);
    }

    private void positions(
            PoseBlock r, PoseBlock p, PoseBlock q, MotionBlock previous, MotionBlock current, PoseBlock out, int n) {
        if (curved) {
            extrapolateAt(p.px, q.px, 0, previous.vx, current.vx, out.px, n);
            extrapolateAt(p.py, q.py, 1, previous.vy, current.vy, out.py, n);
            extrapolateAt(p.pz, q.pz, 2, previous.vz, current.vz, out.pz, n);
        } else {
            extrapolate(r.px, p.px, q.px, currentToShown[0], currentToPrevious[0], previousToBefore[0], out.px, n);
            extrapolate(r.py, p.py, q.py, currentToShown[1], currentToPrevious[1], previousToBefore[1], out.py, n);
            extrapolate(r.pz, p.pz, q.pz, currentToShown[2], currentToPrevious[2], previousToBefore[2], out.pz, n);
        }
    }

    /** Usually no error fades: then {@code r} is not read. */
    private void extrapolate(
            float[] r, float[] p, float[] q, float shiftShown, float shiftLast, float shiftBefore, float[] out, int n) {
        if (before == 0) {
            VectorLoops.extrapolate(p, q, shiftShown, shiftLast, last, out, n);
        } else {
            VectorLoops.extrapolate(r, p, q, shiftShown, shiftLast, shiftBefore, last, before, out, n);
        }
    }

    private void extrapolateAt(float[] p, float[] q, int axis, float[] vp, float[] vq, float[] out, int n) {
        if (lastAt == 0 && leave == 0) {
            VectorLoops.extrapolateAt(q, currentToShown[axis], vq, arrive, out, n);
        } else {
            VectorLoops.extrapolateAt(
                    p, q, currentToShown[axis], currentToPrevious[axis], vp, vq, lastAt, leave, arrive, out, n);
        }
    }

    /** Angles are extrapolated. Other channels may have bounds, so they are blended and not predicted. */
    private void channel(Channel.Blending blending, float[] r, float[] p, float[] q, float[] out, int n) {
        switch (blending) {
            case STEP -> System.arraycopy(showsCurrent ? q : p, 0, out, 0, n);
            case LINEAR -> VectorLoops.lerp(p, q, 0, alpha, out, n);
            case ANGLE -> VectorLoops.extrapolateAngle(r, p, q, last, before, out, n);
        }
    }

    /** Bodies with a motion break in the previous tick: their motion before it is unknown, or the break says it. */
    private void breaksBefore(PoseBlock r, PoseBlock p, PoseBlock q, MotionBreaks previousBreaks, PoseBlock out) {
        for (int s = 0; s < previousBreaks.count(); s++) {
            if (previousBreaks.kind(s) == Kind.SPINNING) {
                spin(r, p, q, s, previousBreaks, previousBreaks, NONE, out);
            } else if (previousBreaks.kind(s) == Kind.SHIFTED && !curved) {
                place(r, p, q, previousBreaks.index(s), 0, 0, 0, previousBreaks, s, out);
            }
        }
        for (int s = 0; s < previousBreaks.count(); s++) {
            if (previousBreaks.kind(s) == Kind.BROKEN) {
                int i = previousBreaks.index(s);
                if (!curved) {
                    place(r, p, q, i, 0, 0, 0, previousBreaks, s, out);
                }
                turn(p, p, q, i, last, before, out);
                for (int c = 0; c < channels.size(); c++) {
                    if (channels.get(c).blending() == Channel.Blending.ANGLE) {
                        out.channels[c][i] = VectorLoops.extrapolateAngle(p.channels[c][i], q.channels[c][i], last);
                    }
                }
            }
        }
    }

    private void breaks(
            PoseBlock r, PoseBlock p, PoseBlock q, MotionBlock previous, MotionBlock current, PoseBlock out) {
        MotionBreaks breaks = current.breaks();
        for (int s = 0; s < breaks.count(); s++) {
            int i = breaks.index(s);
            switch (breaks.kind(s)) {
                case SHIFTED, STRAIGHT -> {
                    if (curved) {
                        shift(p, q, previous, current, breaks, s, out);
                    } else if (breaks.kind(s) == Kind.SHIFTED) {
                        int e = find(previous, i);
                        place(r, p, q, i, breaks.x(s), breaks.y(s), breaks.z(s), previous.breaks(), e, out);
                    }
                }
                case SPINNING -> spin(r, p, q, find(previous, i, Kind.SPINNING), previous.breaks(), breaks, s, out);
                case BROKEN -> {}
            }
        }
        for (int s = 0; s < breaks.count(); s++) { // last: a broken motion overrides everything else
            if (breaks.kind(s) == Kind.BROKEN) {
                stay(r, p, q, previous, current, breaks.index(s), out);
            }
        }
    }

    /** The index of a body's BROKEN motion break in the previous tick, otherwise of its SHIFTED one, otherwise NONE. */
    private int find(MotionBlock previous, int i) {
        int broken = find(previous, i, Kind.BROKEN);
        return broken == NONE ? find(previous, i, Kind.SHIFTED) : broken;
    }

    private int find(MotionBlock block, int i, Kind kind) {
        MotionBreaks breaks = block.breaks();
        for (int s = 0; block.changedTick() == previousTick && s < breaks.count(); s++) {
            if (breaks.index(s) == i && breaks.kind(s) == kind) {
                return s;
            }
        }
        return NONE;
    }

    /**
     * A body that turns by more than half a turn in the previous tick (break e), in the current one (break s), or in both; otherwise NONE.
     */
    private void spin(
            PoseBlock r,
            PoseBlock p,
            PoseBlock q,
            int e,
            MotionBreaks previousBreaks,
            MotionBreaks breaks,
            int s,
            PoseBlock out) {
        int i = s == NONE ? previousBreaks.index(e) : breaks.index(s);
        float since = alpha + ahead;
        if (e == NONE) {
            turn(r, p, p, i, 0, aheadBefore == 0 ? 0 : since, out);
        } else {
            RotationVector.turn(p, i, previousBreaks.x(e), previousBreaks.y(e), previousBreaks.z(e), since, out);
        }
        float x = out.qx[i];
        float y = out.qy[i];
        float z = out.qz[i];
        float w = out.qw[i];
        if (s == NONE) {
            turn(p, p, q, i, since - 1, 0, out);
        } else {
            RotationVector.turn(p, i, breaks.x(s), breaks.y(s), breaks.z(s), since, out);
        }
        float near = x * out.qx[i] + y * out.qy[i] + z * out.qz[i] + w * out.qw[i] < 0 ? -fading : fading;
        x = x * near + out.qx[i] * (1 - fading);
        y = y * near + out.qy[i] * (1 - fading);
        z = z * near + out.qz[i] * (1 - fading);
        w = w * near + out.qw[i] * (1 - fading);
        storeNormalised(x, y, z, w, i, out);
    }

    /** A body that jumped by (x, y, z) in the current tick in addition to its motion, and had the motion break e in the previous tick. */
    private void place(
            PoseBlock r,
            PoseBlock p,
            PoseBlock q,
            int i,
            float x,
            float y,
            float z,
            MotionBreaks previousBreaks,
            int e,
            PoseBlock out) {
        boolean isShifted = e != NONE && previousBreaks.kind(e) == Kind.SHIFTED;
        float part = e == NONE || isShifted ? before : 0;
        out.px[i] = place(r.px[i], p.px[i], q.px[i], 0, x, part, isShifted ? previousBreaks.x(e) : 0);
        out.py[i] = place(r.py[i], p.py[i], q.py[i], 1, y, part, isShifted ? previousBreaks.y(e) : 0);
        out.pz[i] = place(r.pz[i], p.pz[i], q.pz[i], 2, z, part, isShifted ? previousBreaks.z(e) : 0);
    }

    private float place(float r, float p, float q, int axis, float jump, float part, float jumpBefore) {
        return q
                + currentToShown[axis]
                + (q + currentToPrevious[axis] - p - jump) * last
                + (p + previousToBefore[axis] - r - jumpBefore) * part;
    }

    private static void storeNormalised(float x, float y, float z, float w, int i, PoseBlock out) {
        float scale = 1 / (float) Math.sqrt(x * x + y * y + z * z + w * w);
        out.qx[i] = x * scale;
        out.qy[i] = y * scale;
        out.qz[i] = z * scale;
        out.qw[i] = w * scale;
    }

    /** Extrapolates a rotation from q by parts of the last two turns. */
    private static void turn(PoseBlock r, PoseBlock p, PoseBlock q, int i, float last, float before, PoseBlock out) {
        float x = q.qx[i] + (q.qx[i] - p.qx[i]) * last + (p.qx[i] - r.qx[i]) * before;
        float y = q.qy[i] + (q.qy[i] - p.qy[i]) * last + (p.qy[i] - r.qy[i]) * before;
        float z = q.qz[i] + (q.qz[i] - p.qz[i]) * last + (p.qz[i] - r.qz[i]) * before;
        float w = q.qw[i] + (q.qw[i] - p.qw[i]) * last + (p.qw[i] - r.qw[i]) * before;
        storeNormalised(x, y, z, w, i, out);
    }

    /**
     * A body with velocities that jumped in the current tick in addition to its motion, or was hit in it, so that a curve would overshoot.
     */
    private void shift(
            PoseBlock p,
            PoseBlock q,
            MotionBlock previous,
            MotionBlock current,
            MotionBreaks breaks,
            int s,
            PoseBlock out) {
        int i = breaks.index(s);
        out.px[i] = shift(p.px[i] + breaks.x(s), q.px[i], 0, previous.vx[i], current.vx[i]);
        out.py[i] = shift(p.py[i] + breaks.y(s), q.py[i], 1, previous.vy[i], current.vy[i]);
        out.pz[i] = shift(p.pz[i] + breaks.z(s), q.pz[i], 2, previous.vz[i], current.vz[i]);
    }

    private float shift(float p, float q, int axis, float previousVelocity, float currentVelocity) {
        float way = q + currentToPrevious[axis] - p;
        float straight = way * Math.min(0, alpha + ahead - 1) + currentVelocity * beyondSeconds;
        float old = previousVelocity * (alpha + ahead) * tickSeconds - way;
        return q + currentToShown[axis] + straight + (old - straight) * fading;
    }

    /**
     * A body whose motion is broken at the current tick: extrapolated from the previous tick until then, afterwards at its current pose.
     */
    private void stay(
            PoseBlock r, PoseBlock p, PoseBlock q, MotionBlock previous, MotionBlock current, int i, PoseBlock out) {
        if (showsCurrent) {
            out.copyFrom(q, i, 1);
            if (curved) {
                out.px[i] += current.vx[i] * beyondSeconds;
                out.py[i] += current.vy[i] * beyondSeconds;
                out.pz[i] += current.vz[i] * beyondSeconds;
            }
            return;
        }
        int e = find(previous, i);
        MotionBreaks previousBreaks = previous.breaks();
        boolean isShifted = e != NONE && previousBreaks.kind(e) == Kind.SHIFTED;
        float part = e == NONE || isShifted ? aheadBefore : 0;
        out.copyFrom(p, i, 1);
        turn(r, p, p, i, 0, part, out);
        if (curved) {
            out.px[i] += previous.vx[i] * aheadSeconds;
            out.py[i] += previous.vy[i] * aheadSeconds;
            out.pz[i] += previous.vz[i] * aheadSeconds;
        } else {
            out.px[i] += (p.px[i] + previousToBefore[0] - r.px[i] - (isShifted ? previousBreaks.x(e) : 0)) * part;
            out.py[i] += (p.py[i] + previousToBefore[1] - r.py[i] - (isShifted ? previousBreaks.y(e) : 0)) * part;
            out.pz[i] += (p.pz[i] + previousToBefore[2] - r.pz[i] - (isShifted ? previousBreaks.z(e) : 0)) * part;
        }
    }
}
