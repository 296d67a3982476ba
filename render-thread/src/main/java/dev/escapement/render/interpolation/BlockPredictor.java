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
 * Shows a block later than what is known: where its bodies are if they go on as they went.
 *
 * <pre>
 *   new(alpha) = x(n) + v(n) (ahead + alpha - 1),  old(alpha) = x(n-1) + v(n-1) (ahead + alpha)
 *   shown = new + (old - new) fading
 * </pre>
 *
 * where v is the way in the last tick, or the velocity of the snapshot times a tick; then new is the Hermite curve of an {@link Interpolator}
 * as far as the moment is between the two ticks. The old line is how the tick before would have gone on: fading is 1 at its end, and falls to 0
 * within {@value #FADE_TICKS} ticks, by a cubic that begins and ends level. So what was predicted wrongly fades without a jump, of place or
 * velocity, and nothing is kept from frame to frame: the same moment looks the same from every window.
 * Rotations are the same of quaternions, normalised: within 0.3 mrad for 10 rad/s, 2 mrad for 20 rad/s at 100 Hz.
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

    /** How much of the last tick's way, and of that before it, is added to where a body is at the later tick. */
    private float last;

    private float before;
    private long fromTick;
    private boolean showsLater;
    private boolean curved;
    private float fading;

    /** The same with velocities: of the last tick's way, and seconds at the velocities at both ends. */
    private float lastAt;

    private float leave;
    private float arrive;

    /** How far beyond the later tick the moment is. */
    private float beyondSeconds;

    /** How far the tick before has led, 0 if it is not known. */
    private float aheadBefore;

    private float tickSeconds;
    private float aheadSeconds;
    private List<Channel> channels = List.of();

    /** What converts positions of {@code to} into the origin shown, into that of {@code from}, and those of {@code from} into that before. */
    private final float[] shift = new float[3];

    private final float[] toLater = new float[3];
    private final float[] toEarlier = new float[3];

    BlockPredictor(Positions path) {
        this.path = path;
    }

    /** Starts a frame; {@code earliest} is the tick before {@code from}, or {@code from} itself if that is not known. */
    void begin(
            Snapshot earliest,
            Snapshot from,
            Snapshot to,
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
        boolean isKnown = earliest != from;
        aheadBefore = isKnown ? ahead : 0;
        last = isKnown ? since * (1 - fading) - 1 : since - 1;
        before = isKnown ? since * fading : 0;
        beyondSeconds = Math.max(0, since - 1) * tickSeconds;
        hermite.set(Math.min(1, since), tickSeconds);
        lastAt = (hermite.along - 1) * (1 - fading) - fading;
        leave = hermite.leaving * (1 - fading) + since * fading * tickSeconds;
        arrive = (hermite.arriving + beyondSeconds) * (1 - fading);
        fromTick = from.tick();
        showsLater = shown == to;
        curved = path == Positions.HERMITE && to.layout().hasTangents();
        aheadSeconds = ahead * tickSeconds;
        channels = to.layout().channels();
        between(to, shown, shift);
        between(to, from, toLater);
        between(from, earliest, toEarlier);
    }

    private static void between(Snapshot one, Snapshot other, float[] out) {
        out[0] = (float) (one.originX() - other.originX());
        out[1] = (float) (one.originY() - other.originY());
        out[2] = (float) (one.originZ() - other.originZ());
    }

    /** Predicts a block that changed in {@code to}'s tick or in that of {@code from}. */
    void predict(Snapshot earliest, Snapshot from, Snapshot to, int b, PoseBlock out, int n) {
        PoseBlock q = to.poses().block(b);
        PoseBlock p = from.poses().block(b);
        PoseBlock r = b < earliest.poses().blockCount() ? earliest.poses().block(b) : p;
        MotionBlock leaving = from.motion(b);
        MotionBlock arriving = to.motion(b);
        rotations(r, p, q, out, n); // first: it keeps its scale where the positions go
        positions(r, p, q, leaving, arriving, out, n);
        for (int c = 0; c < channels.size(); c++) {
            channel(channels.get(c).blending(), r.channels[c], p.channels[c], q.channels[c], out.channels[c], n);
        }
        if (leaving.changedTick() == fromTick) {
            breaksBefore(r, p, q, leaving.breaks(), out);
        }
        if (arriving.changedTick() == to.tick()) {
            breaks(r, p, q, leaving, arriving, out);
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
            PoseBlock r, PoseBlock p, PoseBlock q, MotionBlock leaving, MotionBlock arriving, PoseBlock out, int n) {
        if (curved) {
            extrapolateAt(p.px, q.px, 0, leaving.vx, arriving.vx, out.px, n);
            extrapolateAt(p.py, q.py, 1, leaving.vy, arriving.vy, out.py, n);
            extrapolateAt(p.pz, q.pz, 2, leaving.vz, arriving.vz, out.pz, n);
        } else {
            extrapolate(r.px, p.px, q.px, shift[0], toLater[0], toEarlier[0], out.px, n);
            extrapolate(r.py, p.py, q.py, shift[1], toLater[1], toEarlier[1], out.py, n);
            extrapolate(r.pz, p.pz, q.pz, shift[2], toLater[2], toEarlier[2], out.pz, n);
        }
    }

    /** Most of the time nothing fades, and less has to be read. */
    private void extrapolate(
            float[] r, float[] p, float[] q, float to, float shiftLast, float shiftBefore, float[] out, int n) {
        if (before == 0) {
            VectorLoops.extrapolate(p, q, to, shiftLast, last, out, n);
        } else {
            VectorLoops.extrapolate(r, p, q, to, shiftLast, shiftBefore, last, before, out, n);
        }
    }

    private void extrapolateAt(float[] p, float[] q, int axis, float[] leaving, float[] arriving, float[] out, int n) {
        if (lastAt == 0 && leave == 0) {
            VectorLoops.extrapolateAt(q, shift[axis], arriving, arrive, out, n);
        } else {
            VectorLoops.extrapolateAt(
                    p, q, shift[axis], toLater[axis], leaving, arriving, lastAt, leave, arrive, out, n);
        }
    }

    /** An angle goes on as it turned. What else a channel holds may have bounds, so it is blended, and not predicted. */
    private void channel(Channel.Blending blending, float[] r, float[] p, float[] q, float[] out, int n) {
        switch (blending) {
            case STEP -> System.arraycopy(showsLater ? q : p, 0, out, 0, n);
            case LINEAR -> VectorLoops.lerp(p, q, 0, alpha, out, n);
            case ANGLE -> VectorLoops.extrapolateAngle(r, p, q, last, before, out, n);
        }
    }

    /** Bodies of which it is not known, or known otherwise, how they moved in the tick before the last one. */
    private void breaksBefore(PoseBlock r, PoseBlock p, PoseBlock q, MotionBreaks earlier, PoseBlock out) {
        for (int s = 0; s < earlier.count(); s++) {
            if (earlier.kind(s) == Kind.SPINNING) {
                spin(r, p, q, s, earlier, earlier, NONE, out);
            } else if (earlier.kind(s) == Kind.SHIFTED && !curved) {
                place(r, p, q, earlier.index(s), 0, 0, 0, earlier, s, out);
            }
        }
        for (int s = 0; s < earlier.count(); s++) {
            if (earlier.kind(s) == Kind.BROKEN) {
                int i = earlier.index(s);
                if (!curved) {
                    place(r, p, q, i, 0, 0, 0, earlier, s, out);
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
            PoseBlock r, PoseBlock p, PoseBlock q, MotionBlock leaving, MotionBlock arriving, PoseBlock out) {
        MotionBreaks breaks = arriving.breaks();
        for (int s = 0; s < breaks.count(); s++) {
            int i = breaks.index(s);
            switch (breaks.kind(s)) {
                case SHIFTED, STRAIGHT -> {
                    if (curved) {
                        shift(p, q, leaving, arriving, breaks, s, out);
                    } else if (breaks.kind(s) == Kind.SHIFTED) {
                        int e = find(leaving, i);
                        place(r, p, q, i, breaks.x(s), breaks.y(s), breaks.z(s), leaving.breaks(), e, out);
                    }
                }
                case SPINNING -> spin(r, p, q, find(leaving, i, Kind.SPINNING), leaving.breaks(), breaks, s, out);
                case BROKEN -> {}
            }
        }
        for (int s = 0; s < breaks.count(); s++) { // last: a broken motion overrides everything else
            if (breaks.kind(s) == Kind.BROKEN) {
                stay(r, p, q, leaving, arriving, breaks.index(s), out);
            }
        }
    }

    /** The motion break in the tick before of a body whose motion was not known, or else of one that was shifted; NONE if it has neither. */
    private int find(MotionBlock leaving, int i) {
        int broken = find(leaving, i, Kind.BROKEN);
        return broken == NONE ? find(leaving, i, Kind.SHIFTED) : broken;
    }

    private int find(MotionBlock block, int i, Kind kind) {
        MotionBreaks breaks = block.breaks();
        for (int s = 0; block.changedTick() == fromTick && s < breaks.count(); s++) {
            if (breaks.index(s) == i && breaks.kind(s) == kind) {
                return s;
            }
        }
        return NONE;
    }

    /** A body that turns by more than half a turn in the last tick, in the one before, or in both. The entries are NONE where it does not. */
    private void spin(
            PoseBlock r,
            PoseBlock p,
            PoseBlock q,
            int e,
            MotionBreaks earlier,
            MotionBreaks breaks,
            int s,
            PoseBlock out) {
        int i = s == NONE ? earlier.index(e) : breaks.index(s);
        float since = alpha + ahead;
        if (e == NONE) {
            turn(r, p, p, i, 0, aheadBefore == 0 ? 0 : since, out);
        } else {
            RotationVector.turn(p, i, earlier.x(e), earlier.y(e), earlier.z(e), since, out);
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

    /** A body that jumped by (x, y, z) in the last tick in addition to its motion, and that had a motion break in the tick before. */
    private void place(
            PoseBlock r,
            PoseBlock p,
            PoseBlock q,
            int i,
            float x,
            float y,
            float z,
            MotionBreaks earlier,
            int e,
            PoseBlock out) {
        boolean isShifted = e != NONE && earlier.kind(e) == Kind.SHIFTED;
        float part = e == NONE || isShifted ? before : 0;
        out.px[i] = place(r.px[i], p.px[i], q.px[i], 0, x, part, isShifted ? earlier.x(e) : 0);
        out.py[i] = place(r.py[i], p.py[i], q.py[i], 1, y, part, isShifted ? earlier.y(e) : 0);
        out.pz[i] = place(r.pz[i], p.pz[i], q.pz[i], 2, z, part, isShifted ? earlier.z(e) : 0);
    }

    private float place(float r, float p, float q, int axis, float jump, float part, float jumpBefore) {
        return q + shift[axis] + (q + toLater[axis] - p - jump) * last + (p + toEarlier[axis] - r - jumpBefore) * part;
    }

    private static void storeNormalised(float x, float y, float z, float w, int i, PoseBlock out) {
        float scale = 1 / (float) Math.sqrt(x * x + y * y + z * z + w * w);
        out.qx[i] = x * scale;
        out.qy[i] = y * scale;
        out.qz[i] = z * scale;
        out.qw[i] = w * scale;
    }

    /** A rotation that goes on from q by parts of the last turns. */
    private static void turn(PoseBlock r, PoseBlock p, PoseBlock q, int i, float last, float before, PoseBlock out) {
        float x = q.qx[i] + (q.qx[i] - p.qx[i]) * last + (p.qx[i] - r.qx[i]) * before;
        float y = q.qy[i] + (q.qy[i] - p.qy[i]) * last + (p.qy[i] - r.qy[i]) * before;
        float z = q.qz[i] + (q.qz[i] - p.qz[i]) * last + (p.qz[i] - r.qz[i]) * before;
        float w = q.qw[i] + (q.qw[i] - p.qw[i]) * last + (p.qw[i] - r.qw[i]) * before;
        storeNormalised(x, y, z, w, i, out);
    }

    /** A body with velocities that jumped in the last tick in addition to its motion, or was hit in it, for which a curve would overshoot. */
    private void shift(
            PoseBlock p,
            PoseBlock q,
            MotionBlock leaving,
            MotionBlock arriving,
            MotionBreaks breaks,
            int s,
            PoseBlock out) {
        int i = breaks.index(s);
        out.px[i] = shift(p.px[i] + breaks.x(s), q.px[i], 0, leaving.vx[i], arriving.vx[i]);
        out.py[i] = shift(p.py[i] + breaks.y(s), q.py[i], 1, leaving.vy[i], arriving.vy[i]);
        out.pz[i] = shift(p.pz[i] + breaks.z(s), q.pz[i], 2, leaving.vz[i], arriving.vz[i]);
    }

    private float shift(float p, float q, int axis, float leaving, float arriving) {
        float way = q + toLater[axis] - p;
        float straight = way * Math.min(0, alpha + ahead - 1) + arriving * beyondSeconds;
        float old = leaving * (alpha + ahead) * tickSeconds - way;
        return q + shift[axis] + straight + (old - straight) * fading;
    }

    /** A body of which it is not known how it came here: it is where it was last seen to go, and from the later tick on where that has it. */
    private void stay(
            PoseBlock r, PoseBlock p, PoseBlock q, MotionBlock leaving, MotionBlock arriving, int i, PoseBlock out) {
        if (showsLater) {
            out.copyFrom(q, i, 1);
            if (curved) {
                out.px[i] += arriving.vx[i] * beyondSeconds;
                out.py[i] += arriving.vy[i] * beyondSeconds;
                out.pz[i] += arriving.vz[i] * beyondSeconds;
            }
            return;
        }
        int e = find(leaving, i);
        MotionBreaks earlier = leaving.breaks();
        boolean isShifted = e != NONE && earlier.kind(e) == Kind.SHIFTED;
        float part = e == NONE || isShifted ? aheadBefore : 0;
        out.copyFrom(p, i, 1);
        turn(r, p, p, i, 0, part, out);
        if (curved) {
            out.px[i] += leaving.vx[i] * aheadSeconds;
            out.py[i] += leaving.vy[i] * aheadSeconds;
            out.pz[i] += leaving.vz[i] * aheadSeconds;
        } else {
            out.px[i] += (p.px[i] + toEarlier[0] - r.px[i] - (isShifted ? earlier.x(e) : 0)) * part;
            out.py[i] += (p.py[i] + toEarlier[1] - r.py[i] - (isShifted ? earlier.y(e) : 0)) * part;
            out.pz[i] += (p.pz[i] + toEarlier[2] - r.pz[i] - (isShifted ? earlier.z(e) : 0)) * part;
        }
    }
}
