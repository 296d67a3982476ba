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
 * at 100 Hz. Motion breaks first change copies of p and r, as if the bodies had always moved as they did in the break's tick.
 *
 * <p>One thread. Allocates nothing.
 */
final class BlockPredictor {

    private static final float FADE_TICKS = 0.25f;
    private static final int NONE = -1;

    private final Positions path;
    private final HermiteWeights hermite = new HermiteWeights();

    // Copies of a block with motion breaks.
    private PoseBlock continuedP = new PoseBlock();
    private PoseBlock continuedR = new PoseBlock();

    // The same for all blocks of a frame.
    private float alpha;
    private float ahead;

    /** How many ticks after the previous one the moment is. */
    private float since;

    /** Whether the tick before the previous one is known. */
    private boolean isKnown;

    /** The parts of the last tick's displacement, and of the one before, that are added to the position at the current tick. */
    private float last;

    private float before;
    private long previousTick;
    private long currentTick;
    private boolean showsCurrent;
    private boolean curved;
    private float fading;

    /** The same with velocities: the part of the last tick's displacement, and seconds at the velocities of both ticks. */
    private float lastAt;

    private float leave;
    private float arrive;

    /** How far beyond the current tick the moment is. */
    private float beyondSeconds;

    private float tickSeconds;
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
        since = alpha + ahead;
        float faded = Math.min(1, alpha / Math.min(FADE_TICKS, ahead));
        fading = 1 - faded * faded * (3 - 2 * faded);
        isKnown = beforePrevious != previous;
        last = isKnown ? since * (1 - fading) - 1 : since - 1;
        before = isKnown ? since * fading : 0;
        beyondSeconds = Math.max(0, since - 1) * tickSeconds;
        hermite.set(Math.min(1, since), tickSeconds);
        lastAt = (hermite.along - 1) * (1 - fading) - fading;
        leave = hermite.leaving * (1 - fading) + since * fading * tickSeconds;
        arrive = (hermite.arriving + beyondSeconds) * (1 - fading);
        previousTick = previous.tick();
        currentTick = current.tick();
        showsCurrent = shown == current;
        curved = path == Positions.HERMITE && current.layout().hasTangents();
        channels = current.layout().channels();
        if (continuedP.channels.length != channels.size()) {
            continuedP = new PoseBlock(channels.size());
            continuedR = new PoseBlock(channels.size());
        }
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
        MotionBlock motion = current.motion(b);
        MotionBlock motionBefore = previous.motion(b);
        if (count(motionBefore, previousTick) + count(motion, currentTick) > 0) {
            continueMotions(r, p, motionBefore, motion, n);
            r = continuedR;
            p = continuedP;
        }
        r = before == 0 ? p : r; // usually no error fades: then those poses need not be loaded
        rotations(r, p, q, out, n); // first: it stores its scale in out.px
        positions(r, p, q, motionBefore, motion, out, n);
        for (int c = 0; c < channels.size(); c++) {
            channel(channels.get(c).blending(), r.channels[c], p.channels[c], q.channels[c], out.channels[c], n);
        }
        correctBreaks(previous.poses().block(b), q, motionBefore, motion, out);
    }

    /** The motion breaks of a block in a tick. */
    private static int count(MotionBlock motion, long tick) {
        return motion.changedTick() == tick ? motion.breaks().count() : 0;
    }

    /** Copies the poses and changes them: each body comes to q without its jump, and rested before p if its motion was broken there. */
    private void continueMotions(PoseBlock r, PoseBlock p, MotionBlock motionBefore, MotionBlock motion, int n) {
        continuedR.copyFrom(r, 0, n);
        continuedP.copyFrom(p, 0, n);
        MotionBreaks breaksBefore = motionBefore.breaks();
        int countBefore = count(motionBefore, previousTick);
        for (int s = 0; s < countBefore; s++) {
            if (breaksBefore.kind(s) == Kind.SHIFTED) {
                jump(continuedR, breaksBefore, s);
            }
        }
        for (int s = 0; s < countBefore; s++) { // last: a broken motion overrides everything else
            if (breaksBefore.kind(s) == Kind.BROKEN) {
                int i = breaksBefore.index(s);
                continuedR.copyFrom(p, i, 1);
                continuedR.px[i] += previousToBefore[0];
                continuedR.py[i] += previousToBefore[1];
                continuedR.pz[i] += previousToBefore[2];
            }
        }
        for (int s = 0; s < count(motion, currentTick); s++) {
            if (motion.breaks().kind(s) == Kind.SHIFTED) {
                jump(continuedR, motion.breaks(), s);
                jump(continuedP, motion.breaks(), s);
            }
        }
    }

    private static void jump(PoseBlock poses, MotionBreaks breaks, int s) {
        int i = breaks.index(s);
        poses.px[i] += breaks.x(s);
        poses.py[i] += breaks.y(s);
        poses.pz[i] += breaks.z(s);
    }

    private void rotations(PoseBlock r, PoseBlock p, PoseBlock q, PoseBlock out, int n) {
        VectorLoops.extrapolate(r.qx, p.qx, q.qx, 0, 0, 0, last, before, out.qx, n);
        VectorLoops.extrapolate(r.qy, p.qy, q.qy, 0, 0, 0, last, before, out.qy, n);
        VectorLoops.extrapolate(r.qz, p.qz, q.qz, 0, 0, 0, last, before, out.qz, n);
        VectorLoops.extrapolate(r.qw, p.qw, q.qw, 0, 0, 0, last, before, out.qw, n);
        VectorLoops.normalise(out.qx, out.qy, out.qz, out.qw, out.px, n);
    }

    private void positions(
            PoseBlock r, PoseBlock p, PoseBlock q, MotionBlock motionBefore, MotionBlock motion, PoseBlock out, int n) {
        if (curved) {
            extrapolateAt(p.px, q.px, 0, motionBefore.vx, motion.vx, out.px, n);
            extrapolateAt(p.py, q.py, 1, motionBefore.vy, motion.vy, out.py, n);
            extrapolateAt(p.pz, q.pz, 2, motionBefore.vz, motion.vz, out.pz, n);
        } else {
            extrapolate(r.px, p.px, q.px, 0, out.px, n);
            extrapolate(r.py, p.py, q.py, 1, out.py, n);
            extrapolate(r.pz, p.pz, q.pz, 2, out.pz, n);
        }
    }

    private void extrapolate(float[] r, float[] p, float[] q, int axis, float[] out, int n) {
        VectorLoops.extrapolate(
                r, p, q, currentToShown[axis], currentToPrevious[axis], previousToBefore[axis], last, before, out, n);
    }

    private void extrapolateAt(float[] p, float[] q, int axis, float[] vp, float[] vq, float[] out, int n) {
        VectorLoops.extrapolateAt(
                p, q, currentToShown[axis], currentToPrevious[axis], vp, vq, lastAt, leave, arrive, out, n);
    }

    /** Angles are extrapolated. Other channels may have bounds, so they are blended and not predicted. */
    private void channel(Channel.Blending blending, float[] r, float[] p, float[] q, float[] out, int n) {
        switch (blending) {
            case STEP -> System.arraycopy(showsCurrent ? q : p, 0, out, 0, n);
            case LINEAR -> VectorLoops.lerp(p, q, 0, alpha, out, n);
            case ANGLE -> VectorLoops.extrapolateAngle(r, p, q, last, before, out, n);
        }
    }

    /** Corrects the bodies for which the loops are wrong, after all others. */
    private void correctBreaks(PoseBlock p, PoseBlock q, MotionBlock motionBefore, MotionBlock motion, PoseBlock out) {
        MotionBreaks breaks = motion.breaks();
        int count = count(motion, currentTick);
        for (int s = 0; s < count(motionBefore, previousTick); s++) {
            if (motionBefore.breaks().kind(s) == Kind.SPINNING) {
                spin(q, motionBefore, motion, motionBefore.breaks().index(s), out);
            }
        }
        for (int s = 0; s < count; s++) {
            int i = breaks.index(s);
            if (breaks.kind(s) == Kind.SPINNING) {
                spin(q, motionBefore, motion, i, out);
            } else if (breaks.kind(s) == Kind.STRAIGHT && curved) {
                out.px[i] = straight(continuedP.px[i], q.px[i], 0, motionBefore.vx[i], motion.vx[i]);
                out.py[i] = straight(continuedP.py[i], q.py[i], 1, motionBefore.vy[i], motion.vy[i]);
                out.pz[i] = straight(continuedP.pz[i], q.pz[i], 2, motionBefore.vz[i], motion.vz[i]);
            }
        }
        for (int s = 0; s < count; s++) { // last: a broken motion overrides everything else
            if (breaks.kind(s) == Kind.BROKEN) {
                stay(p, q, motionBefore, motion, breaks.index(s), out);
            }
        }
    }

    /** A body that was hit: along a line instead of a curve, which would overshoot. */
    private float straight(float p, float q, int axis, float vp, float vq) {
        float way = q + currentToPrevious[axis] - p;
        float line = way * Math.min(0, since - 1) + vq * beyondSeconds;
        float old = vp * since * tickSeconds - way;
        return q + currentToShown[axis] + line + (old - line) * fading;
    }

    /** A body that turns by more than half a turn in the last tick, in the one before, or in both. */
    private void spin(PoseBlock q, MotionBlock motionBefore, MotionBlock motion, int i, PoseBlock out) {
        PoseBlock p = continuedP;
        boolean wasBroken = find(motionBefore, previousTick, Kind.BROKEN, i) != NONE;
        int e = wasBroken ? NONE : find(motionBefore, previousTick, Kind.SPINNING, i);
        int s = find(motion, currentTick, Kind.SPINNING, i);
        if (e == NONE && s == NONE) {
            return;
        }
        if (e == NONE) {
            turn(continuedR, p, p, i, 0, since, out);
        } else {
            turn(p, motionBefore.breaks(), e, out);
        }
        float x = out.qx[i];
        float y = out.qy[i];
        float z = out.qz[i];
        float w = out.qw[i];
        if (s == NONE) {
            turn(p, p, q, i, since - 1, 0, out);
        } else {
            turn(p, motion.breaks(), s, out);
        }
        float part = isKnown || e != NONE ? fading : 0;
        float near = x * out.qx[i] + y * out.qy[i] + z * out.qz[i] + w * out.qw[i] < 0 ? -part : part;
        x = x * near + out.qx[i] * (1 - part);
        y = y * near + out.qy[i] * (1 - part);
        z = z * near + out.qz[i] * (1 - part);
        w = w * near + out.qw[i] * (1 - part);
        storeNormalised(x, y, z, w, i, out);
    }

    private static int find(MotionBlock motion, long tick, Kind kind, int i) {
        MotionBreaks breaks = motion.breaks();
        for (int s = 0; s < count(motion, tick); s++) {
            if (breaks.index(s) == i && breaks.kind(s) == kind) {
                return s;
            }
        }
        return NONE;
    }

    private void turn(PoseBlock p, MotionBreaks breaks, int s, PoseBlock out) {
        RotationVector.turn(p, breaks.index(s), breaks.x(s), breaks.y(s), breaks.z(s), since, out);
    }

    /** Extrapolates a rotation from q by parts of the last two turns. */
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

    /** A body whose motion is broken at the current tick: extrapolated from its previous pose until then, afterwards at the new one. */
    private void stay(PoseBlock p, PoseBlock q, MotionBlock motionBefore, MotionBlock motion, int i, PoseBlock out) {
        out.copyFrom(showsCurrent ? q : p, i, 1);
        float part = showsCurrent || !isKnown ? 0 : ahead;
        if (part > 0) {
            turn(continuedR, p, p, i, 0, part, out);
        }
        if (curved) {
            MotionBlock kept = showsCurrent ? motion : motionBefore;
            float seconds = showsCurrent ? beyondSeconds : ahead * tickSeconds;
            out.px[i] += kept.vx[i] * seconds;
            out.py[i] += kept.vy[i] * seconds;
            out.pz[i] += kept.vz[i] * seconds;
        } else {
            out.px[i] += (continuedP.px[i] + previousToBefore[0] - continuedR.px[i]) * part;
            out.py[i] += (continuedP.py[i] + previousToBefore[1] - continuedR.py[i]) * part;
            out.pz[i] += (continuedP.pz[i] + previousToBefore[2] - continuedR.pz[i]) * part;
        }
    }
}
