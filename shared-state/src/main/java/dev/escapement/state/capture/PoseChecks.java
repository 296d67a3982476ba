package dev.escapement.state.capture;

import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Checks poses, and prepares their rotations for slerp: unit length, the sign nearer to the tick before, and the {@link MotionBlock#turn}
 * since that tick.
 *
 * <p>The static methods check one pose. An instance checks a whole block, with the same bits: each of its loops is one statement over few
 * arrays with the same index, because C2 makes vector code of such loops. Checking a block costs about as much as copying it three times.
 *
 * <p>One thread. Allocates nothing after construction.
 */
final class PoseChecks {

    /**
     * Greatest distance of a position from the origin, about 1e18 metres. Differences, sums and squares of such positions are finite
     * floats.
     */
    private static final float FARTHEST = 0x1p60f;

    private static final float FARTHEST_SQUARED = FARTHEST * FARTHEST;

    /** Greatest difference between a rotation's squared length and 1 that counts as a rounding error. */
    private static final float ROUNDING = 1e-6f;

    /** Greatest difference between a rotation's squared length and 1 that counts as drift, and is corrected. */
    private static final float DRIFT = 0.1f;

    private static final double TWO_PI = 2 * Math.PI;

    /**
     * The factor that makes the square of {@link #FARTHEST} infinite. Infinity times 0 is NaN, so a position at least that far away gives
     * NaN, and a nearer one 0.
     */
    private static final float OVERFLOW = 0x1p8f;

    /** The factor that makes any excess of a deficit over {@link #largestDeficit} far larger than any turn. */
    private static final float HUGE = 1e30f;

    /** Avoids 0 / 0 in {@link #factors}, and is too small to change a bit of any other divisor. */
    private static final float TINY = 1e-30f;

    /** Less than any turn between two unit quaternions, which is -2 or more. */
    private static final float BELOW_ANY_TURN = -4;

    private static final float[] UNCHANGED = new float[PoseBlock.CAPACITY];

    static {
        Arrays.fill(UNCHANGED, 1);
    }

    /** The number of keys that remain after {@link #leastKey} has folded those of a block. */
    private static final int FOLDED = PoseBlock.CAPACITY / 8;

    /**
     * Per body, one value that classifies its pose, with the body's {@link MotionBlock#turn}:
     *
     * <pre>
     *   the turn, HALF_TURN or more   regular: finite, unit length, nearer sign
     *   the turn, below HALF_TURN     unit length, but the sign farther from the tick before
     *   below BELOW_ANY_TURN          the length needs a correction, or is no unit quaternion's
     *   NaN                           not finite
     * </pre>
     */
    private final float[] key = new float[PoseBlock.CAPACITY];

    /** Per body: 1 minus the squared length of its rotation, before a correction. */
    private final float[] deficit = new float[PoseBlock.CAPACITY];

    /** Greatest deficit that a regular pose may have: a rounding error, or, once drift has been corrected, the greatest drift. */
    private float largestDeficit;

    /** Per body: the factor that gives its rotation the nearer sign, or unit length; mostly 1. */
    private final float[] factor = new float[PoseBlock.CAPACITY];

    /**
     * True if rotations of the last block have drifted from unit length. In a simulation that integrates rotations in float, they are off
     * unit length after some minutes, and stay so. Then {@link #check} corrects the next block before it computes each {@link #key}, so
     * that it computes the keys only once; the result is the same.
     */
    private boolean drifted;

    /** Keys of a block after folding: each is the least of several keys, NaN if one of these is NaN. */
    private final float[] foldedKeys = new float[PoseBlock.CAPACITY / 2];

    static boolean isFinite(float x, float y, float z) {
        return x * x + y * y + z * z <= FARTHEST_SQUARED; // false for NaN
    }

    private static boolean isFinite(PoseBlock block, int i) {
        return isFinite(block.px[i], block.py[i], block.pz[i]) && Float.isFinite(deficit(block, i));
    }

    private static float deficit(float x, float y, float z, float w) {
        return 1 - x * x - y * y - z * z - w * w;
    }

    private static float deficit(PoseBlock block, int i) {
        return deficit(block.qx[i], block.qy[i], block.qz[i], block.qw[i]);
    }

    /** Computes 1 / sqrt(1 - d), exact to a float's rounding: the factor that gives a rotation with a small deficit d unit length. */
    private static float unitFactor(float d) {
        // (1 / sqrt(1 - d) - 1) / d by the binomial series, which C2 turns into vector code.
        float series = 1f / 2 + d * (3f / 8 + d * (5f / 16 + d * (35f / 128 + d * (63f / 256 + d * (231f / 1024)))));
        return 1 + d * series;
    }

    /**
     * Adds what two of the four components of b - a contribute to a turn. A turn is cos t - 1, with t the angle between the quaternions a
     * and b.
     *
     * <p>Because |b - a|^2 = 2 - 2 cos t, a turn is -|b - a|^2 / 2. The difference, unlike the dot product, keeps all bits of small angles.
     * The statement subtracts twice, because C2 may sort the operands of a sum of products differently from body to body, and then makes no
     * vector code.
     */
    private static float addTurn(float turn, float x, float y) {
        return turn - 0.5f * x * x - 0.5f * y * y;
    }

    /**
     * Computes the factor that makes a stored rotation a unit quaternion.
     *
     * @return 1 for nearly every pose; NaN for one that is not finite, or with a rotation too far from a unit quaternion
     */
    static float factor(PoseBlock block, int i) {
        float deficit = deficit(block, i);
        float error = Math.abs(deficit);
        if (!isFinite(block, i) || error > DRIFT) {
            return Float.NaN;
        }
        return error <= ROUNDING ? 1 : unitFactor(deficit);
    }

    static String fault(PoseBlock block, int i) {
        return !isFinite(block, i)
                ? "pose"
                : "rotation (" + block.qx[i] + ", " + block.qy[i] + ", " + block.qz[i] + ", " + block.qw[i]
                        + "), whose length is " + (float) Math.sqrt(1 - deficit(block, i)) + ",";
    }

    /**
     * Makes a stored rotation a unit quaternion with the sign nearer to the tick before, and stores in {@code motion} how far the body
     * turned.
     *
     * @param factor the {@link #factor} of the pose
     * @param before the block in the tick before; null for a new body, which has a turn of 0 and keeps its sign
     */
    static void align(PoseBlock block, MotionBlock motion, @Nullable PoseBlock before, int i, float factor) {
        float x = factor * block.qx[i];
        float y = factor * block.qy[i];
        float z = factor * block.qz[i];
        float w = factor * block.qw[i];
        float sign = 1;
        float turn = 0;
        if (before != null) {
            float ax = before.qx[i];
            float ay = before.qy[i];
            float az = before.qz[i];
            float aw = before.qw[i];
            sign = ax * x + ay * y + az * z + aw * w < 0 ? -1 : 1;
            turn = addTurn(addTurn(0, sign * x - ax, sign * y - ay), sign * z - az, sign * w - aw);
        }
        motion.turned(i, turn);
        block.qx[i] = sign * x;
        block.qy[i] = sign * y;
        block.qz[i] = sign * z;
        block.qw[i] = sign * w;
    }

    /**
     * Adds a motion break for a body that turned by more than half a turn, which two quaternions do not determine.
     *
     * <p>Chooses the number of full turns that fits its angular velocity best. The rotation need not be aligned yet: neither its sign nor
     * its length changes the result. The result has the same bits on every machine.
     *
     * @param rotation scratch of three values
     * @return whether the angular velocity turns the body by more than a quarter turn in {@code dt}
     */
    static boolean spin(
            PoseBlock block,
            MotionBlock motion,
            PoseBlock before,
            int i,
            double wx,
            double wy,
            double wz,
            double dt,
            double[] rotation) {
        double speed = Math.sqrt(wx * wx + wy * wy + wz * wz);
        if (speed * dt <= Math.PI) {
            return speed * dt > 0.5 * Math.PI;
        }
        block.rotationSince(i, before, rotation);
        double angle = Math.sqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2]);
        boolean axisIsClear = angle > 2e-4;
        double ux = axisIsClear ? rotation[0] / angle : wx / speed;
        double uy = axisIsClear ? rotation[1] / angle : wy / speed;
        double uz = axisIsClear ? rotation[2] / angle : wz / speed;
        double expected = (ux * wx + uy * wy + uz * wz) * dt;
        double total = angle + TWO_PI * Math.rint((expected - angle) / TWO_PI);
        motion.breaks()
                .add(MotionBreaks.Kind.SPINNING, i, (float) (ux * total), (float) (uy * total), (float) (uz * total));
        return true;
    }

    /**
     * Computes each body's turn since the tick before. Normalises drifted rotations, gives each the sign nearer to the tick before, and
     * finds the poses that are not regular. At the call, the turns in {@code motion} must be 0.
     *
     * @return whether all poses are regular; if so, the least turn is stored in {@code motion}
     */
    boolean check(PoseBlock block, PoseBlock before, MotionBlock motion, int slots) {
        boolean isExpected = drifted;
        largestDeficit = ROUNDING;
        deficits(block.qx, block.qy, block.qz, block.qw, deficit, slots);
        if (isExpected) {
            normalise(block, slots);
            drifted = !Arrays.equals(factor, 0, slots, UNCHANGED, 0, slots);
        }
        float least = leastKey(block, before, motion, slots);
        if (!isExpected && !(least >= BELOW_ANY_TURN)) {
            normalise(block, slots);
            drifted = true;
            Arrays.fill(motion.turn, 0, slots, 0);
            least = leastKey(block, before, motion, slots);
        }
        if (!(least >= MotionBlock.HALF_TURN)) {
            // Most often a quaternion has the farther sign: a simulation that computes rotations from scratch flips the
            // sign at each half turn, and then keeps the new sign.
            signs(key, factor, slots);
            multiply(block, slots);
            Arrays.fill(motion.turn, 0, slots, 0);
            least = leastKey(block, before, motion, slots);
        }
        boolean regular = least >= MotionBlock.HALF_TURN;
        if (regular) {
            motion.leastTurn(least);
        }
        return regular;
    }

    /**
     * Gives drifted rotations unit length. Does not compute the deficits again, because a pass is expensive. Instead it raises
     * {@link #largestDeficit}, so that corrected poses count as regular.
     */
    private void normalise(PoseBlock block, int slots) {
        factors(deficit, factor, slots);
        multiply(block, slots);
        largestDeficit = Math.nextDown(DRIFT);
    }

    private void multiply(PoseBlock block, int slots) {
        multiply(block.qx, factor, slots);
        multiply(block.qy, factor, slots);
        multiply(block.qz, factor, slots);
        multiply(block.qw, factor, slots);
    }

    /** Computes turns and keys. Returns the least key, or 0 if all are greater; NaN if a key is NaN. */
    private float leastKey(PoseBlock block, PoseBlock before, MotionBlock motion, int slots) {
        float[] turn = motion.turn;
        addTurns(before.qx, block.qx, before.qy, block.qy, turn, slots);
        addTurns(before.qz, block.qz, before.qw, block.qw, turn, slots);
        keys(block.px, block.py, block.pz, turn, deficit, largestDeficit, key, slots);
        if (slots <= FOLDED) {
            return least(key, slots);
        }
        // C2 makes no vector code of a loop that keeps the least value so far, so vector loops first fold the keys to a
        // few.
        Arrays.fill(key, slots, PoseBlock.CAPACITY, 0);
        lesser(key, PoseBlock.CAPACITY / 2);
        lesser(foldedKeys, PoseBlock.CAPACITY / 4);
        lesser(foldedKeys, FOLDED);
        return least(foldedKeys, FOLDED);
    }

    /** Returns the least value, or 0 if all are greater; NaN if a value is NaN. */
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
     * Returns whether a pose needs no more checks after {@link #check}: it is finite, and its rotation is a unit quaternion of the sign
     * nearer to the tick before. With the other sign the body would seem to turn by more than half a turn.
     */
    boolean isRegular(int index) {
        return key[index] >= MotionBlock.HALF_TURN;
    }

    private static void addTurns(float[] ax, float[] bx, float[] ay, float[] by, float[] turn, int n) {
        for (int i = 0; i < n; i++) {
            turn[i] = addTurn(turn[i], bx[i] - ax[i], by[i] - ay[i]);
        }
    }

    private static void deficits(float[] x, float[] y, float[] z, float[] w, float[] deficit, int n) {
        for (int i = 0; i < n; i++) {
            deficit[i] = deficit(x[i], y[i], z[i], w[i]);
        }
    }

    /**
     * Computes {@link #key}: NaN if a position is not finite. The key is the turn if the deficit is at most {@code largestDeficit}, else
     * far below any turn.
     */
    private static void keys(
            float[] x, float[] y, float[] z, float[] turn, float[] deficit, float largestDeficit, float[] key, int n) {
        for (int i = 0; i < n; i++) {
            float notFinite = (0 - x[i] * x[i] - y[i] * y[i] - z[i] * z[i]) * OVERFLOW * 0;
            float excess = Math.abs(deficit[i]) - largestDeficit - notFinite;
            key[i] = turn[i] - (Math.abs(excess) + excess) * HUGE;
        }
    }

    /**
     * Computes the factor that gives a drifted rotation unit length; 1 for all other rotations.
     */
    private static void factors(float[] deficit, float[] factor, int n) {
        for (int i = 0; i < n; i++) {
            float error = Math.abs(deficit[i]);
            // Positive for a drift, and else 0; the division below makes any positive value 1. Uses one max and no min,
            // because each takes several instructions to handle NaN.
            float within = Math.max(0, (error - ROUNDING) * (DRIFT - error));
            float drift = deficit[i] * (within / (within + TINY));
            factor[i] = unitFactor(drift);
        }
    }

    /**
     * Computes -1 for a unit quaternion more than a right angle from that of the tick before, else 1. A quaternion of another length gets
     * 1, so that messages show it unchanged.
     */
    private static void signs(float[] key, float[] sign, int n) {
        for (int i = 0; i < n; i++) {
            float beyondHalfTurn = Math.min(1, Math.max(0, (MotionBlock.HALF_TURN - key[i]) * HUGE));
            float isUnit = Math.min(1, Math.max(0, (key[i] - BELOW_ANY_TURN) * HUGE));
            sign[i] = 1 - 2 * beyondHalfTurn * isUnit;
        }
    }

    /** Folds an array in two: keeps the lesser of the values at i and n + i, NaN if one of the two is NaN. */
    private void lesser(float[] values, int n) {
        float[] out = foldedKeys;
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
