package dev.escapement.state.capture;

import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.PoseBlock;
import java.util.Arrays;

/**
 * Checks the poses of a whole block at once, and computes how far its bodies turned. Each loop is one statement over few arrays with the
 * same index, because C2 turns that into vector code: a block costs about as much as copying it three times.
 *
 * <p>One thread. Allocates nothing after construction.
 */
final class PosePasses {

    /** A square of at least that of {@link SinglePoses#FARTHEST}, times this, is infinite, and times 0 it is NaN; smaller ones give 0. */
    private static final float OVERFLOW = 0x1p8f;

    /** Any excess over {@link SinglePoses#ROUNDING}, times this, is far larger than any turn. */
    private static final float HUGE = 1e30f;

    /** Added to the product of two excesses that are not 0, it changes no bit. */
    private static final float TINY = 1e-30f;

    /** Less than any turn between two unit quaternions, which is -2 or more. */
    private static final float BELOW_ANY_TURN = -4;

    /** The {@link #factor} of rotations that stay as they are. */
    private static final float[] UNCHANGED = new float[PoseBlock.CAPACITY];

    static {
        Arrays.fill(UNCHANGED, 1);
    }

    /** How many values the keys of a block are folded into before they are compared one by one. */
    private static final int FOLDED = PoseBlock.CAPACITY / 8;

    /**
     * Per body: how far it turned, if the length of its rotation needs no correction; less than {@link MotionBlock#HALF_TURN} if it does;
     * NaN if its pose is not finite.
     */
    private final float[] key = new float[PoseBlock.CAPACITY];

    /** Per body: by how much the squared length of its rotation is less than 1, before a correction. */
    private final float[] deficit = new float[PoseBlock.CAPACITY];

    /** What is a rounding error, or was corrected. */
    private float largestDeficit;

    /** Per body, what its rotation is multiplied by: the sign that is nearer to the tick before, or what gives it unit length; mostly 1. */
    private final float[] factor = new float[PoseBlock.CAPACITY];

    /**
     * Whether rotations of the last block have drifted: a simulation that integrates them in float is off unit length for good after some
     * minutes. Then the next block is corrected before it is looked at, with the same result.
     */
    private boolean drifted;

    /** Per place: the least of the keys that were folded into it, NaN if one is. */
    private final float[] folded = new float[PoseBlock.CAPACITY / 2];

    /**
     * Computes for each slot how far its body turned since the tick before, gives rotations unit length, if they have drifted from it, and
     * the nearer sign, and finds out whether each pose is regular. The turns must be 0 before.
     *
     * @return whether all poses are regular; then the largest turn is stored, too
     */
    boolean check(PoseBlock block, PoseBlock before, MotionBlock motion, int slots) {
        boolean isExpected = drifted;
        largestDeficit = SinglePoses.ROUNDING;
        deficits(block.qx, block.qy, block.qz, block.qw, deficit, slots);
        if (isExpected) {
            giveUnitLength(block, slots);
            drifted = !Arrays.equals(factor, 0, slots, UNCHANGED, 0, slots);
        }
        float least = leastKey(block, before, motion, slots);
        if (!isExpected && !(least >= BELOW_ANY_TURN)) {
            giveUnitLength(block, slots);
            drifted = true;
            Arrays.fill(motion.turn, 0, slots, 0);
            least = leastKey(block, before, motion, slots);
        }
        if (!(least >= MotionBlock.HALF_TURN)) {
            // Mostly the sign: a simulation that computes rotations anew flips it for good at each half turn.
            signs(key, factor, slots);
            multiply(block, slots);
            Arrays.fill(motion.turn, 0, slots, 0);
            least = leastKey(block, before, motion, slots);
        }
        boolean regular = least >= MotionBlock.HALF_TURN;
        if (regular) {
            motion.largestTurn(least);
        }
        return regular;
    }

    /** The deficits stay, because computing them anew costs a pass: from then on each that was corrected counts as none. */
    private void giveUnitLength(PoseBlock block, int slots) {
        scales(deficit, factor, slots);
        multiply(block, slots);
        largestDeficit = Math.nextDown(SinglePoses.DRIFT);
    }

    private void multiply(PoseBlock block, int slots) {
        multiply(block.qx, factor, slots);
        multiply(block.qy, factor, slots);
        multiply(block.qz, factor, slots);
        multiply(block.qw, factor, slots);
    }

    /** Computes the turns and the keys, and returns the least key, NaN if one is, and at most 0. */
    private float leastKey(PoseBlock block, PoseBlock before, MotionBlock motion, int slots) {
        float[] turn = motion.turn;
        addTurns(before.qx, block.qx, before.qy, block.qy, turn, slots);
        addTurns(before.qz, block.qz, before.qw, block.qw, turn, slots);
        keys(block.px, block.py, block.pz, turn, deficit, largestDeficit, key, slots);
        if (slots <= FOLDED) {
            return least(key, slots);
        }
        // A loop that keeps one value is no vector code, so most are first folded into few.
        Arrays.fill(key, slots, PoseBlock.CAPACITY, 0);
        lesser(key, PoseBlock.CAPACITY / 2);
        lesser(folded, PoseBlock.CAPACITY / 4);
        lesser(folded, FOLDED);
        return least(folded, FOLDED);
    }

    /** The least value, NaN if one is, and at most 0. */
    private static float least(float[] values, int n) {
        float least = 0;
        for (int i = 0; i < n; i++) {
            if (!(values[i] >= least)) { // also true for NaN
                least = values[i];
                if (Float.isNaN(least)) {
                    break;
                }
            }
        }
        return least;
    }

    /**
     * Whether a pose is as it must be published, after {@link #check}: finite, and with a unit quaternion of the sign that is nearer to the
     * tick before. With the other sign the body would seem to turn by more than half a turn.
     */
    boolean isRegular(int index) {
        return key[index] >= MotionBlock.HALF_TURN;
    }

    /**
     * Adds to how far bodies turned, cos a - 1 for the angle a between two quaternions. |b - a|^2 = 2 - 2 cos a: computed from the
     * difference and not from the product, so that small angles keep all their bits. A chain of subtractions, because C2 may sort the
     * operands of a sum of products differently from body to body, and then no longer finds that they are alike.
     */
    private static void addTurns(float[] ax, float[] bx, float[] ay, float[] by, float[] turn, int n) {
        for (int i = 0; i < n; i++) {
            float x = bx[i] - ax[i];
            float y = by[i] - ay[i];
            turn[i] = turn[i] - 0.5f * x * x - 0.5f * y * y;
        }
    }

    /** By how much the squared length of a rotation is less than 1. */
    private static void deficits(float[] x, float[] y, float[] z, float[] w, float[] deficit, int n) {
        for (int i = 0; i < n; i++) {
            deficit[i] = 1 - x[i] * x[i] - y[i] * y[i] - z[i] * z[i] - w[i] * w[i]; // as SinglePoses does
        }
    }

    /** Computes {@link #key}: NaN if a position is not finite. Subtracts 0 for a deficit that is not too large. */
    private static void keys(
            float[] x, float[] y, float[] z, float[] turn, float[] deficit, float largestDeficit, float[] key, int n) {
        for (int i = 0; i < n; i++) {
            float notFinite = (0 - x[i] * x[i] - y[i] * y[i] - z[i] * z[i]) * OVERFLOW * 0;
            float excess = Math.abs(deficit[i]) - largestDeficit - notFinite;
            key[i] = turn[i] - (Math.abs(excess) + excess) * HUGE;
        }
    }

    /** What gives a rotation that has drifted unit length, by the bits of {@link SinglePoses#scale}; 1 for all others. */
    private static void scales(float[] deficit, float[] scale, int n) {
        for (int i = 0; i < n; i++) {
            float error = Math.abs(deficit[i]);
            // Positive within drift, then 1. One max and no min: each takes several instructions, because of NaN.
            float within = Math.max(0, (error - SinglePoses.ROUNDING) * (SinglePoses.DRIFT - error));
            float drift = deficit[i] * (within / (within + TINY));
            scale[i] = 1 + drift * SinglePoses.scaleByDrift(drift);
        }
    }

    /** -1 where a unit quaternion is more than a right angle from the one before. Others keep their sign, so that messages show them. */
    private static void signs(float[] key, float[] sign, int n) {
        for (int i = 0; i < n; i++) {
            float beyondHalfTurn = Math.min(1, Math.max(0, (MotionBlock.HALF_TURN - key[i]) * HUGE));
            float isUnit = Math.min(1, Math.max(0, (key[i] - BELOW_ANY_TURN) * HUGE));
            sign[i] = 1 - 2 * beyondHalfTurn * isUnit;
        }
    }

    /** Folds an array in two: of the values at i and n + i the lesser one, NaN if one is. */
    private void lesser(float[] values, int n) {
        float[] out = folded;
        for (int i = 0; i < n; i++) {
            out[i] = Math.min(values[i], values[i + n]);
        }
    }

    private static void multiply(float[] x, float[] factor, int n) {
        for (int i = 0; i < n; i++) {
            x[i] *= factor[i];
        }
    }
}
