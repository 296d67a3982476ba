package dev.escapement.render.interpolation;

/**
 * The two weights of spherical linear interpolation for a whole block, w0 = sin((1-t) a) / sin a and
 * w1 = sin(t a) / sin a, as a polynomial in t and cos a - 1: no trigonometry, no division, no branch.
 *
 * <p>Source: David Eberly, "A Fast and Accurate Algorithm for Computing SLERP", Journal of Graphics, GPU, and Game Tools
 * 15(3), 2011. The series is cut after {@value #TERMS} terms; multiplying the last coefficient by {@value #LAST_TERM}
 * spreads what was cut off. That factor minimises the largest error over angles a up to a quarter turn between the
 * quaternions (half a turn of the body): 3.1e-7 rad and 1.1e-6 of length in exact arithmetic.
 *
 * <p>One thread. Allocates nothing after construction. Loops are one simple statement each, over arrays without an
 * offset, because that is what C2 turns into vector code.
 */
final class SlerpWeights {

    private static final int TERMS = 12;
    private static final double LAST_TERM = 1.892445;

    private final float[] cosMinusOne;
    final float[] w0;
    final float[] w1;

    SlerpWeights(int capacity) {
        cosMinusOne = new float[capacity];
        w0 = new float[capacity];
        w1 = new float[capacity];
    }

    /** Starts with cos a = 0 for the first {@code n} pairs. */
    void begin(int n) {
        for (int i = 0; i < n; i++) {
            cosMinusOne[i] = -1;
        }
    }

    /** Adds one component's share of the dot products that are cos a. */
    void accumulate(float[] a, float[] b, int n) {
        float[] sum = cosMinusOne;
        for (int i = 0; i < n; i++) {
            sum[i] += a[i] * b[i];
        }
    }

    /** Computes the weights for alpha {@code t}. */
    void finish(float t, int n) {
        weights(1.0 - t, w0, n);
        weights(t, w1, n);
    }

    /** t (1 + b1 (1 + b2 (1 + ...))), b_k = (t^2 u_k - v_k) (cos a - 1), innermost first. */
    private void weights(double t, float[] w, int n) {
        for (int i = 0; i < n; i++) {
            w[i] = 1;
        }
        for (int k = TERMS; k >= 1; k--) {
            double u = 1.0 / (k * (2.0 * k + 1));
            double v = k / (2.0 * k + 1);
            double correction = k == TERMS ? LAST_TERM : 1;
            hornerStep((float) ((t * t * u - v) * correction), w, n);
        }
        float factor = (float) t;
        for (int i = 0; i < n; i++) {
            w[i] *= factor;
        }
    }

    private void hornerStep(float coefficient, float[] w, int n) {
        float[] x = cosMinusOne;
        for (int i = 0; i < n; i++) {
            w[i] = 1 + coefficient * x[i] * w[i];
        }
    }
}
