package dev.escapement.state.capture;

import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;
import org.jspecify.annotations.Nullable;

/** Writes rotations prepared for slerp: with the sign nearer to the tick before, and with the angle that the body turned. */
final class Rotations {

    private static final double TWO_PI = 2 * Math.PI;

    private Rotations() {}

    /** Writes a unit quaternion, and how far the body turned since {@code before}; null for a new body. */
    static void setRotation(
            PoseBlock block,
            MotionBlock motion,
            @Nullable PoseBlock before,
            int i,
            float x,
            float y,
            float z,
            float w) {
        float sign = 1;
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
            // |b - a|^2 = 2 - 2 cos: from the difference and not the product, so that small angles keep all their bits.
            motion.turned(i, -0.5f * (dx * dx + dy * dy + dz * dz + dw * dw));
        }
        block.qx[i] = sign * x;
        block.qy[i] = sign * y;
        block.qz[i] = sign * z;
        block.qw[i] = sign * w;
    }

    /**
     * Adds a motion break for a body that turned by more than half a turn, which two quaternions do not determine. The number of full turns
     * is the one that comes nearest to its angular velocity. {@code StrictMath} gives the same bits on every machine.
     */
    static void spin(
            PoseBlock block, MotionBlock motion, PoseBlock before, int i, double wx, double wy, double wz, double dt) {
        double speed = Math.sqrt(wx * wx + wy * wy + wz * wz);
        if (speed * dt <= Math.PI) {
            return;
        }
        double ax = -before.qx[i];
        double ay = -before.qy[i];
        double az = -before.qz[i];
        double aw = before.qw[i];
        double bx = block.qx[i];
        double by = block.qy[i];
        double bz = block.qz[i];
        double bw = block.qw[i];
        // The rotation from one to the other, b times the inverse of a, has this vector part:
        double x = bw * ax + bx * aw + by * az - bz * ay;
        double y = bw * ay - bx * az + by * aw + bz * ax;
        double z = bw * az + bx * ay - by * ax + bz * aw;
        double w = bw * aw - bx * ax - by * ay - bz * az;
        double sine = Math.sqrt(x * x + y * y + z * z);
        double angle = 2 * StrictMath.atan2(sine, w);
        boolean axisIsClear = sine > 1e-4;
        double ux = axisIsClear ? x / sine : wx / speed;
        double uy = axisIsClear ? y / sine : wy / speed;
        double uz = axisIsClear ? z / sine : wz / speed;
        double expected = (ux * wx + uy * wy + uz * wz) * dt;
        double total = angle + TWO_PI * Math.rint((expected - angle) / TWO_PI);
        motion.breaks()
                .add(MotionBreaks.Kind.SPINNING, i, (float) (ux * total), (float) (uy * total), (float) (uz * total));
    }
}
