package dev.escapement.state.capture;

import java.util.SplittableRandom;

/** Computes test rotations in doubles. Quaternions are x, y, z, w. */
public final class Quaternions {

    private Quaternions() {}

    public static double[] randomAxis(SplittableRandom random) {
        while (true) {
            double[] v = {random.nextDouble(-1, 1), random.nextDouble(-1, 1), random.nextDouble(-1, 1)};
            double length = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
            if (length > 0.1 && length < 1) {
                return new double[] {v[0] / length, v[1] / length, v[2] / length};
            }
        }
    }

    /** Returns a rotation by a random angle about a random axis, with either sign of the quaternion. */
    public static float[] random(SplittableRandom random) {
        return floats(around(randomAxis(random), random.nextDouble(-2 * Math.PI, 2 * Math.PI)));
    }

    public static double[] around(double[] axis, double radians) {
        double sine = Math.sin(radians / 2);
        return new double[] {sine * axis[0], sine * axis[1], sine * axis[2], Math.cos(radians / 2)};
    }

    /** Returns the rotation that applies {@code a} first, then {@code b}. */
    public static double[] product(double[] b, double[] a) {
        return new double[] {
            b[3] * a[0] + b[0] * a[3] + b[1] * a[2] - b[2] * a[1],
            b[3] * a[1] - b[0] * a[2] + b[1] * a[3] + b[2] * a[0],
            b[3] * a[2] + b[0] * a[1] - b[1] * a[0] + b[2] * a[3],
            b[3] * a[3] - b[0] * a[0] - b[1] * a[1] - b[2] * a[2]
        };
    }

    public static float[] floats(double[] q) {
        return new float[] {(float) q[0], (float) q[1], (float) q[2], (float) q[3]};
    }

    public static double dot(float[] a, float[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += (double) a[i] * b[i];
        }
        return sum;
    }

    public static double length(float[] q) {
        return Math.sqrt(dot(q, q));
    }

    public static float[] scaled(float[] q, double scale) {
        return floats(new double[] {scale * q[0], scale * q[1], scale * q[2], scale * q[3]});
    }

    public static float[] negated(float[] q) {
        return scaled(q, -1);
    }
}
