package dev.escapement.render.interpolation;

import dev.escapement.state.capture.Quaternions;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import java.util.SplittableRandom;

/** Computes rotations in doubles by their definitions, as expected values. */
public final class Exact {

    private Exact() {}

    public static double[] randomRotation(SplittableRandom random) {
        return turned(new double[] {0, 0, 0, 1}, Quaternions.randomAxis(random), random.nextDouble(2 * Math.PI));
    }

    /** Returns {@code q} followed by the rotation by {@code angle} around {@code axis}. */
    public static double[] turned(double[] q, double[] axis, double angle) {
        return Quaternions.product(Quaternions.around(axis, angle), q);
    }

    static double[] slerp(double[] a, double[] b, double t) {
        double angle = angleBetween(a, b);
        double[] result = new double[4];
        for (int i = 0; i < 4; i++) {
            result[i] = angle < 1e-9
                    ? a[i] + t * (b[i] - a[i])
                    : (Math.sin((1 - t) * angle) * a[i] + Math.sin(t * angle) * b[i]) / Math.sin(angle);
        }
        return result;
    }

    /** Returns the angle between two quaternions. Accurate for small angles too, unlike the arc cosine. */
    static double angleBetween(double[] a, double[] b) {
        double difference = 0;
        double sum = 0;
        for (int i = 0; i < 4; i++) {
            difference += (a[i] - b[i]) * (a[i] - b[i]);
            sum += (a[i] + b[i]) * (a[i] + b[i]);
        }
        return 2 * Math.atan2(Math.sqrt(difference), Math.sqrt(sum));
    }

    static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    static double[] scaled(double[] v, double factor) {
        double[] result = v.clone();
        for (int i = 0; i < v.length; i++) {
            result[i] *= factor;
        }
        return result;
    }

    public static double[] rotation(PoseBlocks poses, int body) {
        PoseBlock block = poses.blockOf(body);
        int i = body & PoseBlock.MASK;
        return new double[] {block.qx[i], block.qy[i], block.qz[i], block.qw[i]};
    }

    static double[] sum(double[] a, double[] b, double factor) {
        return new double[] {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
    }

    static double[] rotated(double[] q, double[] v) {
        double[] back = {-q[0], -q[1], -q[2], q[3]};
        return Quaternions.product(Quaternions.product(q, new double[] {v[0], v[1], v[2], 0}), back);
    }

    static double distance(double[] a, double[] b) {
        double[] way = sum(a, b, -1);
        return Math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    }
}
