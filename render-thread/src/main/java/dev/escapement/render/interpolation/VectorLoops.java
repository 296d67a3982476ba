package dev.escapement.render.interpolation;

/**
 * Arithmetic over whole blocks: lerp and the weights of slerp.
 *
 * <p>Each loop is one statement over few arrays with the same index, because the JIT compiler can vectorise such loops; those of angles are
 * longer, for layouts with angles are rare. They use only + - * /, sqrt and rint, which give the same bits on every machine. Allocates
 * nothing.
 *
 * <p>The weights of slerp, w0 = sin((1-t) a) / sin a and w1 = sin(t a) / sin a, are approximated by a polynomial in t and cos a - 1,
 * without trigonometry, divisions and branches; a is the angle between the quaternions. Source: David Eberly, "A Fast and Accurate
 * Algorithm for Computing SLERP", Journal of Graphics, GPU, and Game Tools 15(3), 2011. The largest angle of the block decides the number
 * of terms, for a rotation within 1e-7 rad and a length within 2e-7, in exact arithmetic. Up to 90 degrees between the quaternions (180
 * degrees of the body), the polynomial takes {@value #MAX_TERMS} terms and a last coefficient multiplied by {@value #LAST_TERM}, which
 * spreads the truncation error: 3.1e-7 rad and 1.1e-6 of length.
 */
final class VectorLoops {

    private static final double TWO_PI = 2 * Math.PI;

    private static final int TERMS_A_PASS = 3;
    private static final int MAX_TERMS = 12;
    private static final double LAST_TERM = 1.892445;

    /** The smallest cos a - 1 for which 3, 6 and 9 terms are enough. */
    private static final float[] MIN_FOR_TERMS = {-0.0579f, -0.2725f, -0.5017f};

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
     * Computes the weights of slerp for alpha {@code t}.
     *
     * @param cosMinusOne per body, cos a - 1, where a is the angle between its two quaternions
     * @param least       the smallest value in {@code cosMinusOne}
     * @param w0          receives the weights of the previous rotations
     * @param w1          receives the weights of the current rotations
     */
    static void slerpWeights(float[] cosMinusOne, float least, float t, float[] w0, float[] w1, int n) {
        int terms = TERMS_A_PASS;
        for (float min : MIN_FOR_TERMS) {
            terms += least < min ? TERMS_A_PASS : 0;
        }
        weights(cosMinusOne, terms, 1.0 - t, w0, n);
        weights(cosMinusOne, terms, t, w1, n);
    }

    /** w = t (1 + b1 (1 + b2 (1 + ...))), b_k = (t^2 u_k - v_k) (cos a - 1). Each pass computes three terms, the innermost first. */
    private static void weights(float[] x, int terms, double t, float[] w, int n) {
        int k = terms - TERMS_A_PASS + 1;
        float last = (float) ((terms == MAX_TERMS ? LAST_TERM : 1) * coefficient(t, terms));
        float factor = k == 1 ? (float) t : 1;
        innermost(factor, (float) coefficient(t, k), (float) coefficient(t, k + 1), last, x, w, n);
        while (k > 1) {
            k -= TERMS_A_PASS;
            factor = k == 1 ? (float) t : 1;
            outer(
                    factor,
                    (float) coefficient(t, k),
                    (float) coefficient(t, k + 1),
                    (float) coefficient(t, k + 2),
                    x,
                    w,
                    n);
        }
    }

    private static double coefficient(double t, int k) {
        double u = 1.0 / (k * (2.0 * k + 1));
        double v = k / (2.0 * k + 1);
        return t * t * u - v;
    }

    private static void innermost(float f, float c1, float c2, float c3, float[] x, float[] w, int n) {
        for (int i = 0; i < n; i++) {
            w[i] = f * (1 + c1 * x[i] * (1 + c2 * x[i] * (1 + c3 * x[i])));
        }
    }

    private static void outer(float f, float c1, float c2, float c3, float[] x, float[] w, int n) {
        for (int i = 0; i < n; i++) {
            w[i] = f * (1 + c1 * x[i] * (1 + c2 * x[i] * (1 + c3 * x[i] * w[i])));
        }
    }

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
