package dev.escapement.render.interpolation;

import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;

/**
 * Fades the errors of displayed poses that a re-simulation with late input has corrected.
 *
 * <p>At first the displayed pose of a body differs from its true pose by the whole error, so that the body does not jump. After a chosen
 * time, nothing of the error is left.
 *
 * <p>Let e be the error at the start, and v its rate of change at the start, multiplied by the chosen time. The error falls to 0 along this
 * cubic, for u from 0 to 1:
 *
 * <pre>e (2 u^3 - 3 u^2 + 1) + v (u^3 - 2 u^2 + u)</pre>
 *
 * <p>A second error is added to the rest of the first. The sum starts a new cubic, with the rate of change of that rest.
 *
 * <p>One thread. Allocates only for an error in a later block than any before.
 */
final class CorrectionFade {

    private static final int VALUES = 6;
    private static final int STRIDE = 2 * VALUES;

    private final long fadeNanos;

    /**
     * Per slot:
     *
     * <pre>
     *   0 to 2    error of the position when it started to fade, metres
     *   3 to 5    error of the rotation when it started to fade, a rotation vector in radians
     *   6 to 11   rate of change of each error at that time, multiplied by the fade time
     * </pre>
     */
    private float[] errors = {};

    /** Per slot: when its error started to fade. */
    private long[] sinceNanos = {};

    /** Per slot: the generation of the body that has an error, 0 if none has. */
    private int[] generations = {};

    /** Per slot: how often the body had teleported by {@link #correctedTick}. */
    private int[] teleports = {};

    /** Per slot: the tick that broke the motion of the body, and so ends its error; {@link Long#MAX_VALUE} if none did. */
    private long[] endTicks = {};

    /** Per block: how many bodies have an error. */
    private int[] counts = {};

    private long nowNanos;

    /** The newest tick whose corrections were added; {@link Snapshot#NEVER_WRITTEN} before the first frame. */
    private long correctedTick = Snapshot.NEVER_WRITTEN;

    CorrectionFade(long fadeNanos) {
        this.fadeNanos = fadeNanos;
    }

    /** Moves to a frame, and adds the errors that the new ticks since the last frame correct. */
    void advance(Window window, long newestTick, long displayNanos) {
        nowNanos = displayNanos;
        if (correctedTick == Snapshot.NEVER_WRITTEN) { // nothing was displayed that could be wrong
            correctedTick = newestTick;
        }
        for (long tick = Math.max(correctedTick + 1, window.oldestTick()); tick <= newestTick; tick++) {
            correct(window.snapshot((int) (tick - window.oldestTick())));
        }
    }

    /** Adds the errors that a snapshot and the ticks before it correct, unless they were added, or the motion of the body is broken. */
    void correct(Snapshot snapshot) {
        for (int b = 0; b < snapshot.poses().blockCount(); b++) {
            endBroken(b, snapshot);
            MotionBlock motion = snapshot.motion(b);
            MotionBreaks corrections = motion.corrections();
            for (int e = corrections.count() - 1; e >= 0 && corrections.tick(e) > correctedTick; e--) {
                if (!motion.breaks().has(MotionBreaks.Kind.BROKEN, corrections.index(e))) {
                    add(b, corrections, e, snapshot.bodyBlock(b));
                }
            }
        }
        correctedTick = snapshot.tick();
    }

    /**
     * Ends the errors of bodies whose motion a snapshot breaks. If ticks before it left the window, any teleport since the last frame ends
     * an error, because their motion breaks are not known.
     */
    private void endBroken(int b, Snapshot snapshot) {
        BodyBlock bodies = snapshot.bodyBlock(b);
        MotionBlock motion = snapshot.motion(b);
        boolean isNew = motion.changedTick() > correctedTick;
        boolean lacksTicks = snapshot.tick() > correctedTick + 1;
        for (int i = 0; i < PoseBlock.CAPACITY && isNew && isFading(b); i++) {
            int slot = (b << PoseBlock.SHIFT) + i;
            if (generations[slot] != 0 && generations[slot] == bodies.generationAt(i)) {
                boolean hasTeleported = lacksTicks && teleports[slot] != bodies.teleports[i];
                if (hasTeleported || motion.breaks().has(MotionBreaks.Kind.BROKEN, i)) {
                    endTicks[slot] = Math.min(endTicks[slot], snapshot.tick());
                }
                teleports[slot] = bodies.teleports[i];
            }
        }
    }

    private void add(int b, MotionBreaks corrections, int e, BodyBlock bodies) {
        if (fadeNanos == 0) {
            return;
        }
        int slot = (b << PoseBlock.SHIFT) + corrections.index(e);
        if (b >= counts.length) {
            int slots = (b + 1) * PoseBlock.CAPACITY;
            counts = Arrays.copyOf(counts, b + 1);
            errors = Arrays.copyOf(errors, STRIDE * slots);
            sinceNanos = Arrays.copyOf(sinceNanos, slots);
            generations = Arrays.copyOf(generations, slots);
            teleports = Arrays.copyOf(teleports, slots);
            endTicks = Arrays.copyOf(endTicks, slots);
        }
        int first = STRIDE * slot;
        if (generations[slot] != bodies.generation[corrections.index(e)] || endTicks[slot] != Long.MAX_VALUE) {
            forget(slot);
            Arrays.fill(errors, first, first + STRIDE, 0);
            generations[slot] = bodies.generation[corrections.index(e)];
            teleports[slot] = bodies.teleports[corrections.index(e)];
            endTicks[slot] = Long.MAX_VALUE;
            counts[b]++;
        } else if (sinceNanos[slot] != nowNanos) {
            float u = elapsed(slot);
            for (int k = first; k < first + VALUES; k++) {
                float error = error(k, u);
                errors[k + VALUES] = errors[k] * 6 * u * (u - 1) + errors[k + VALUES] * (1 + u * (3 * u - 4));
                errors[k] = error;
            }
        }
        sinceNanos[slot] = nowNanos;
        int at = first + (corrections.kind(e) == MotionBreaks.Kind.CORRECTED ? 0 : VALUES / 2);
        errors[at] += corrections.x(e);
        errors[at + 1] += corrections.y(e);
        errors[at + 2] += corrections.z(e);
    }

    private void forget(int slot) {
        if (generations[slot] != 0) {
            generations[slot] = 0;
            counts[slot >>> PoseBlock.SHIFT]--;
        }
    }

    boolean isFading(int b) {
        return b < counts.length && counts[b] > 0;
    }

    /** Adds the remaining errors to the poses of a block, and forgets errors that have faded or ended, or whose bodies have despawned. */
    void apply(int b, Snapshot shown, PoseBlock out) {
        for (int i = 0; i < PoseBlock.CAPACITY && counts[b] > 0; i++) {
            int slot = (b << PoseBlock.SHIFT) + i;
            float u = elapsed(slot);
            boolean isOver = u == 1 || shown.tick() >= endTicks[slot];
            if (generations[slot] != 0
                    && (isOver || generations[slot] != shown.bodyBlock(b).generationAt(i))) {
                forget(slot);
            } else if (generations[slot] != 0) {
                int k = STRIDE * slot;
                out.px[i] += error(k, u);
                out.py[i] += error(k + 1, u);
                out.pz[i] += error(k + 2, u);
                float x = error(k + 3, u);
                float y = error(k + 4, u);
                float z = error(k + 5, u);
                if (x != 0 || y != 0 || z != 0) {
                    RotationVector.rotate(out, i, x, y, z, 1, out);
                }
            }
        }
    }

    /** The elapsed part of the fade time, from 0 to 1: u in the cubic of the class comment. */
    private float elapsed(int slot) {
        return Math.min(1, (float) (nowNanos - sinceNanos[slot]) / fadeNanos);
    }

    private float error(int k, float u) {
        return errors[k] * (1 + u * u * (2 * u - 3)) + errors[k + VALUES] * u * (1 - u) * (1 - u);
    }
}
