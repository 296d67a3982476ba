package dev.escapement.render.interpolation;

import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;

/**
 * The offset at which bodies are still shown after ticks ran again with input that had come late: at first the whole error of what was shown
 * before, so that nothing jumps, and nothing after a chosen time.
 *
 * <p>An error that is e at the start, where it would change by v in that time, falls to 0 along this cubic, for u from 0 to 1; a second error
 * adds to e, and starts anew:
 *
 * <pre>e (2 u^3 - 3 u^2 + 1) + v (u^3 - 2 u^2 + u)</pre>
 *
 * <p>One thread. Allocates only when there are more bodies than before.
 */
final class CorrectionFade {

    /** x, y, z, and a rotation vector; then by how much each changes in the whole time. */
    private static final int VALUES = 6;

    private final long fadeNanos;
    private float[] errors = {};

    /** By slot: when the error was known. */
    private long[] sinceNanos = {};

    /** By slot: the generation of the body that has an error, 0 if none has. */
    private int[] generations = {};

    /** By block: how many bodies have an error. */
    private int[] counts = {};

    private long nowNanos;

    CorrectionFade(long fadeNanos) {
        this.fadeNanos = fadeNanos;
    }

    void moveTo(long nanos) {
        nowNanos = nanos;
    }

    boolean isFading(int b) {
        return b < counts.length && counts[b] > 0;
    }

    /** Takes the errors that a snapshot corrects, now that its tick is shown. A body whose motion is broken has none any more. */
    void correct(Snapshot snapshot) {
        for (int b = 0; b < snapshot.poses().blockCount(); b++) {
            MotionBlock motion = snapshot.motion(b);
            MotionBreaks breaks = motion.breaks();
            for (int e = 0; motion.changedTick() == snapshot.tick() && e < breaks.count(); e++) {
                int slot = (b << PoseBlock.SHIFT) + breaks.index(e);
                switch (breaks.kind(e)) {
                    case CORRECTED -> add(slot, 0, breaks, e, snapshot.bodyBlock(b));
                    case CORRECTED_TURN -> add(slot, VALUES / 2, breaks, e, snapshot.bodyBlock(b));
                    case BROKEN -> forget(slot);
                    default -> {}
                }
            }
        }
    }

    private void add(int slot, int at, MotionBreaks breaks, int e, BodyBlock bodies) {
        if (fadeNanos == 0) {
            return;
        }
        int b = slot >>> PoseBlock.SHIFT;
        if (b >= counts.length) {
            int slots = (b + 1) * PoseBlock.CAPACITY;
            counts = Arrays.copyOf(counts, b + 1);
            errors = Arrays.copyOf(errors, 2 * VALUES * slots);
            sinceNanos = Arrays.copyOf(sinceNanos, slots);
            generations = Arrays.copyOf(generations, slots);
        }
        int first = 2 * VALUES * slot;
        if (generations[slot] != bodies.generation[breaks.index(e)]) {
            forget(slot);
            Arrays.fill(errors, first, first + 2 * VALUES, 0);
            generations[slot] = bodies.generation[breaks.index(e)];
            counts[b]++;
        } else if (sinceNanos[slot] != nowNanos) {
            float u = gone(slot);
            for (int k = first; k < first + VALUES; k++) {
                float error = error(k, u);
                errors[k + VALUES] = errors[k] * 6 * u * (u - 1) + errors[k + VALUES] * (1 + u * (3 * u - 4));
                errors[k] = error;
            }
        }
        sinceNanos[slot] = nowNanos;
        errors[first + at] += breaks.x(e);
        errors[first + at + 1] += breaks.y(e);
        errors[first + at + 2] += breaks.z(e);
    }

    private void forget(int slot) {
        if (slot < generations.length && generations[slot] != 0) {
            generations[slot] = 0;
            counts[slot >>> PoseBlock.SHIFT]--;
        }
    }

    /** The part of the time that has passed. */
    private float gone(int slot) {
        return Math.min(1, (float) (nowNanos - sinceNanos[slot]) / fadeNanos);
    }

    private float error(int k, float u) {
        return errors[k] * (1 + u * u * (2 * u - 3)) + errors[k + VALUES] * u * (1 - u) * (1 - u);
    }

    /** Adds what is left of the errors to the poses of a block with these bodies. */
    void apply(int b, BodyBlock bodies, PoseBlock out) {
        for (int i = 0; i < PoseBlock.CAPACITY && counts[b] > 0; i++) {
            int slot = (b << PoseBlock.SHIFT) + i;
            float u = gone(slot);
            if (generations[slot] != 0 && (u == 1 || generations[slot] != bodies.generationAt(i))) {
                forget(slot);
            } else if (generations[slot] != 0) {
                int k = 2 * VALUES * slot;
                out.px[i] += error(k, u);
                out.py[i] += error(k + 1, u);
                out.pz[i] += error(k + 2, u);
                turn(out, i, error(k + 3, u), error(k + 4, u), error(k + 5, u));
            }
        }
    }

    private static void turn(PoseBlock out, int i, float x, float y, float z) {
        if (x != 0 || y != 0 || z != 0) {
            RotationVector.turn(out, i, x, y, z, 1, out);
        }
    }
}
