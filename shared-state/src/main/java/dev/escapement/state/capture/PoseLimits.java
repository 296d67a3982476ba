package dev.escapement.state.capture;

/** What a pose may be. */
final class PoseLimits {

    /** Metres, about 1e18. Differences, sums and squares of such positions are finite floats. */
    private static final float FARTHEST = 0x1p60f;

    private static final float FARTHEST_SQUARED = FARTHEST * FARTHEST;

    /** A squared length this near to 1 is 1 but for rounding. */
    private static final float ROUNDING = 1e-6f;

    /** A squared length this far from 1 is no drift of a simulation but a mistake of its author. */
    private static final float DRIFT = 0.1f;

    private PoseLimits() {}

    /** Whether a vector can be worked with. */
    static boolean isFinite(float x, float y, float z) {
        return x * x + y * y + z * z <= FARTHEST_SQUARED; // false for NaN
    }

    /**
     * What a pose's rotation has to be multiplied by to be one.
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
