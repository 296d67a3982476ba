package dev.escapement.state.capture;

import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;
import org.jspecify.annotations.Nullable;

/**
 * Checks single poses, and prepares their rotations for slerp: unit length, the sign nearer to the tick before, and the angle since that
 * tick. {@link PosePasses} does the same for whole blocks.
 */
final class SinglePoses {

    /**
     * Greatest distance of a position from the origin, about 1e18 metres. Differences, sums and squares of such positions are finite
     * floats.
     */
    static final float FARTHEST = 0x1p60f;

    private static final float FARTHEST_SQUARED = FARTHEST * FARTHEST;

    /** Greatest difference between a rotation's squared length and 1 that counts as a rounding error. */
    static final float ROUNDING = 1e-6f;

    /** Greatest difference between a rotation's squared length and 1 that counts as drift, and is corrected. */
    static final float DRIFT = 0.1f;

    private static final double TWO_PI = 2 * Math.PI;

    private SinglePoses() {}

    static boolean isFinite(float x, float y, float z) {
        return x * x + y * y + z * z <= FARTHEST_SQUARED; // false for NaN
    }

    private static boolean isFinite(PoseBlock block, int i) {
        return isFinite(block.px[i], block.py[i], block.pz[i]) && Float.isFinite(squaredLength(block, i));
    }

    /**
     * Computes the factor that makes a stored rotation a unit quaternion.
     *
     * @return 1 for nearly every pose; NaN for one that is not finite, or with a rotation too far from a unit quaternion
     */
    static float scale(PoseBlock block, int i) {
        if (!isFinite(block, i)) {
            return Float.NaN;
        }
        float deficit = 1 // same order of operations as PosePasses, for the same bits
                - block.qx[i] * block.qx[i]
                - block.qy[i] * block.qy[i]
                - block.qz[i] * block.qz[i]
                - block.qw[i] * block.qw[i];
        float error = Math.abs(deficit);
        float unusual = error > DRIFT ? Float.NaN : 1 + deficit * scaleByDrift(deficit);
        return error <= ROUNDING ? 1 : unusual;
    }

    /** (1 / sqrt(1 - d) - 1) / d for a drift d, by the binomial series, which C2 turns into vector code; exact to a float's rounding. */
    static float scaleByDrift(float d) {
        return 1f / 2 + d * (3f / 8 + d * (5f / 16 + d * (35f / 128 + d * (63f / 256 + d * (231f / 1024)))));
    }

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

    /**
     * Makes a stored rotation a unit quaternion with the sign nearer to the tick before, and stores in {@code motion} how far the body
     * turned.
     *
     * @param scale  the factor that makes it a unit quaternion
     * @param before the block in the tick before; null for a new body, which has a turn of 0 and keeps its sign
     */
    static void align(PoseBlock block, MotionBlock motion, @Nullable PoseBlock before, int i, float scale) {
        float x = scale * block.qx[i];
        float y = scale * block.qy[i];
        float z = scale * block.qz[i];
        float w = scale * block.qw[i];
        float sign = 1;
        float turn = 0;
        if (before != null) {
            float ax = before.qx[i];
            float ay = before.qy[i];
            float az = before.qz[i];
            float aw = before.qw[i];
            sign = ax * x + ay * y + az * z + aw * w < 0 ? -1 : 1;
            float dx = sign * x - ax;
            float dy = sign * y - ay;
            float dz = sign * z - az;
            float dw = sign * w - aw;
            // The operations have the same order as in PosePasses, so that both compute the same bits.
            turn = 0 - 0.5f * dx * dx - 0.5f * dy * dy - 0.5f * dz * dz - 0.5f * dw * dw;
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
     * @param turn scratch of three values
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
            double[] turn) {
        double speed = Math.sqrt(wx * wx + wy * wy + wz * wz);
        if (speed * dt <= Math.PI) {
            return speed * dt > 0.5 * Math.PI;
        }
        block.turnSince(i, before, turn);
        double angle = Math.sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
        boolean axisIsClear = angle > 2e-4;
        double ux = axisIsClear ? turn[0] / angle : wx / speed;
        double uy = axisIsClear ? turn[1] / angle : wy / speed;
        double uz = axisIsClear ? turn[2] / angle : wz / speed;
        double expected = (ux * wx + uy * wy + uz * wz) * dt;
        double total = angle + TWO_PI * Math.rint((expected - angle) / TWO_PI);
        motion.breaks()
                .add(MotionBreaks.Kind.SPINNING, i, (float) (ux * total), (float) (uy * total), (float) (uz * total));
        return true;
    }
}
