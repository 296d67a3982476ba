package dev.escapement.render.interpolation;

import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;

/**
 * Rotates a body by a part of a rotation vector, whose angle may exceed 360 degrees.
 *
 * <p>Computes sine and cosine by their series at an eighth of the angle, and doubles that angle three times. Uses only + - * /, sqrt and
 * rint, so that every machine gives the same bits.
 */
final class RotationVector {

    private static final double TWO_PI = 2 * Math.PI;
    private static final int DOUBLINGS = 3;

    private RotationVector() {}

    /** Rotates the body of a motion break by a part of the break's vector, which is not zero. */
    static void rotate(PoseBlock p, MotionBreaks breaks, int e, double part, PoseBlock out) {
        rotate(p, breaks.index(e), breaks.x(e), breaks.y(e), breaks.z(e), part, out);
    }

    /** out = exp(part * (x, y, z) / 2) * p, for the body at index {@code i}; x, y, z in the world's axes, radians, not all zero. */
    static void rotate(PoseBlock p, int i, double x, double y, double z, double part, PoseBlock out) {
        double angle = Math.sqrt(x * x + y * y + z * z);
        double half = 0.5 * part * angle;
        half -= TWO_PI * Math.rint(half / TWO_PI);
        double small = half / (1 << DOUBLINGS);
        double sq = small * small;
        double sine = small * (1 - sq / 6 * (1 - sq / 20 * (1 - sq / 42 * (1 - sq / 72 * (1 - sq / 110)))));
        double cosine = 1 - sq / 2 * (1 - sq / 12 * (1 - sq / 30 * (1 - sq / 56 * (1 - sq / 90 * (1 - sq / 132)))));
        for (int k = 0; k < DOUBLINGS; k++) {
            double doubled = 2 * sine * cosine;
            cosine = cosine * cosine - sine * sine;
            sine = doubled;
        }
        double ux = sine * x / angle;
        double uy = sine * y / angle;
        double uz = sine * z / angle;
        double px = p.qx[i];
        double py = p.qy[i];
        double pz = p.qz[i];
        double pw = p.qw[i];
        out.qx[i] = (float) (cosine * px + ux * pw + uy * pz - uz * py);
        out.qy[i] = (float) (cosine * py - ux * pz + uy * pw + uz * px);
        out.qz[i] = (float) (cosine * pz + ux * py - uy * px + uz * pw);
        out.qw[i] = (float) (cosine * pw - ux * px - uy * py - uz * pz);
    }
}
