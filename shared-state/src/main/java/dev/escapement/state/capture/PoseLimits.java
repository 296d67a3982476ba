package dev.escapement.state.capture;

/** Checks that poses are finite, and how far a rotation is from a unit quaternion. */
final class PoseLimits {

    /** Metres, about 1e18. Differences, sums and squares of such positions are finite floats. */
    private static final float FARTHEST = 0x1p60f;

    private static final float FARTHEST_SQUARED = FARTHEST * FARTHEST;

    /** A squared length that differs from 1 by no more than this is a rounding error. */
    private static final float ROUNDING = 1e-6f;

    /** A squared length that differs from 1 by more than this is a programming error, not numerical drift. */
    private static final float DRIFT = 0.1f;

    private PoseLimits() {}

    /** Whether a vector is finite and not beyond {@link #FARTHEST}. */
    static boolean isFinite(float x, float y, float z) {
        return x * x + y * y + z * z <= FARTHEST_SQUARED; // false for NaN
    }

    /**
     * The factor that makes a pose's rotation a unit quaternion.
     *
     * @return 1 for nearly every pose, NaN for one that is not finite
     * @throws IllegalArgumentException if the rotation is too far from a unit quaternion
     */
    static float scale(int slot, float x, float y, float z, float rx, float ry, float rz, float rw) {
        float squared = rx * rx + ry * ry + rz * rz + rw * rw;
        if (!isFinite(x, y, z) || !Float.isFinite(squared)) {
            return Float.NaN;
        }
        return Math.abs(squared - 1) <= ROUNDING ? 1 : unusualScale(slot, rx, ry, rz, rw);
    }

    private static float unusualScale(int slot, float rx, float ry, float rz, float rw) {
        double squared = (double) rx * rx + (double) ry * ry + (double) rz * rz + (double) rw * rw;
        if (Math.abs(squared - 1) > DRIFT) {
            throw new IllegalArgumentException("the rotation of body " + slot + " must be a unit quaternion, but ("
                    + rx + ", " + ry + ", " + rz + ", " + rw + ") has length " + (float) Math.sqrt(squared)
                    + "; normalise it");
        }
        return (float) (1 / Math.sqrt(squared));
    }
}
