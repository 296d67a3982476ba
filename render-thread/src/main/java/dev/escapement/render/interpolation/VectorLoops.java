package dev.escapement.render.interpolation;

/**
 * Arithmetic over whole blocks.
 *
 * <p>Each loop is one statement over few arrays with the same index, because C2 can turn that into vector code;
 * it uses only + - * / and sqrt, which give the same bits on every machine.
 */
final class VectorLoops {

    private static final double TWO_PI = 2 * Math.PI;

    private VectorLoops() {}

    /** Interpolates linearly from a to b + shift. */
    static void lerp(float[] a, float[] b, float shift, float alpha, float[] out, int n) {
        for (int i = 0; i < n; i++) {
            out[i] = a[i] + (b[i] + shift - a[i]) * alpha;
        }
    }

    /** Interpolates from angle a to angle b, in radians, along the shorter arc. */
    static void lerpAngle(float[] a, float[] b, float alpha, float[] out, int n) {
        for (int i = 0; i < n; i++) {
            double way = (double) b[i] - a[i];
            way -= TWO_PI * Math.rint(way / TWO_PI);
            out[i] = (float) (a[i] + way * alpha);
        }
    }

    /**
     * Extrapolates from b + shift by {@code last} of the way from a to b + shiftLast, and {@code before} of the way from o to
     * a + shiftBefore. Resting bodies keep their bits.
     */
    static void extrapolate(
            float[] o,
            float[] a,
            float[] b,
            float shift,
            float shiftLast,
            float shiftBefore,
            float last,
            float before,
            float[] out,
            int n) {
        for (int i = 0; i < n; i++) {
            out[i] = b[i] + shift + (b[i] + shiftLast - a[i]) * last + (a[i] + shiftBefore - o[i]) * before;
        }
    }

    /** The same for angles in radians, along the shorter arcs. */
    static void extrapolateAngle(float[] o, float[] a, float[] b, float last, float before, float[] out, int n) {
        for (int i = 0; i < n; i++) {
            double way = (double) b[i] - a[i];
            double wayBefore = (double) a[i] - o[i];
            way -= TWO_PI * Math.rint(way / TWO_PI);
            wayBefore -= TWO_PI * Math.rint(wayBefore / TWO_PI);
            out[i] = (float) (b[i] + way * last + wayBefore * before);
        }
    }

    /** Adds a times w0 and b times w1. */
    static void weigh(float[] w0, float[] a, float[] w1, float[] b, float[] out, int n) {
        for (int i = 0; i < n; i++) {
            out[i] = w0[i] * a[i] + w1[i] * b[i];
        }
    }

    /** Scales quaternions to length 1. {@code scale} is scratch. */
    static void normalise(float[] x, float[] y, float[] z, float[] w, float[] scale, int n) {
        for (int i = 0; i < n; i++) {
            scale[i] = 1 / (float) Math.sqrt(x[i] * x[i] + y[i] * y[i] + z[i] * z[i] + w[i] * w[i]);
        }
        multiply(x, scale, n);
        multiply(y, scale, n);
        multiply(z, scale, n);
        multiply(w, scale, n);
    }

    private static void multiply(float[] a, float[] factor, int n) {
        for (int i = 0; i < n; i++) {
            a[i] *= factor[i];
        }
    }
}
