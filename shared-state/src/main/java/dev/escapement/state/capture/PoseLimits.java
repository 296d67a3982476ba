package dev.escapement.state.capture;

import dev.escapement.state.snapshot.PoseBlock;

/** Checks that poses are finite, and how far a rotation is from a unit quaternion. */
final class PoseLimits {

    /** Metres, about 1e18. Differences, sums and squares of such positions are finite floats. */
    static final float FARTHEST = 0x1p60f;

    private static final float FARTHEST_SQUARED = FARTHEST * FARTHEST;

    /** A squared length that differs from 1 by no more than this is a rounding error. */
    static final float ROUNDING = 1e-6f;

    /** A squared length that differs from 1 by more than this is no numerical drift. */
    private static final float DRIFT = 0.1f;

    private PoseLimits() {}

    /** Whether a vector is finite and not beyond {@link #FARTHEST}. */
    static boolean isFinite(float x, float y, float z) {
        return x * x + y * y + z * z <= FARTHEST_SQUARED; // false for NaN
    }

    static void requireOrigin(double x, double y, double z) {
        if (!isFinite((float) x, (float) y, (float) z)) {
            throw new IllegalArgumentException(
                    "an origin must be finite and not beyond 1e18 m, but is (" + x + ", " + y + ", " + z + ")");
        }
    }

    /** Whether a stored pose is finite, and not too far away. */
    static boolean isFinite(PoseBlock block, int i) {
        return isFinite(block.px[i], block.py[i], block.pz[i]) && Float.isFinite(squaredLength(block, i));
    }

    /**
     * The factor that makes a stored pose's rotation a unit quaternion.
     *
     * @return 1 for nearly every pose, NaN for one that is not finite, or whose rotation is too far from a unit quaternion
     */
    static float scale(PoseBlock block, int i) {
        if (!isFinite(block, i)) {
            return Float.NaN;
        }
        return Math.abs(squaredLength(block, i) - 1) <= ROUNDING
                ? 1
                : unusualScale(block.qx[i], block.qy[i], block.qz[i], block.qw[i]);
    }

    /** What is wrong with a stored pose whose {@link #scale} is NaN, for a message. */
    static String fault(PoseBlock block, int i) {
        float length = (float) Math.sqrt(squaredLength(block, i));
        return !isFinite(block, i)
                ? "pose"
                : "rotation (" + block.qx[i] + ", " + block.qy[i] + ", " + block.qz[i] + ", " + block.qw[i]
                        + "), whose length is " + length + ",";
    }

    private static float squaredLength(PoseBlock block, int i) {
        return block.qx[i] * block.qx[i]
                + block.qy[i] * block.qy[i]
                + block.qz[i] * block.qz[i]
                + block.qw[i] * block.qw[i];
    }

    private static float unusualScale(float rx, float ry, float rz, float rw) {
        double squared = (double) rx * rx + (double) ry * ry + (double) rz * rz + (double) rw * rw;
        return Math.abs(squared - 1) > DRIFT ? Float.NaN : (float) (1 / Math.sqrt(squared));
    }
}
