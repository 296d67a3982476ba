package dev.escapement.render.interpolation;

/**
 * Computes the two weights of spherical linear interpolation for a whole block.
 *
 * <p>w0 = sin((1-t) a) / sin a and w1 = sin(t a) / sin a are a polynomial in t and cos a - 1: no trigonometry, no division, no branch.
 *
 * <p>Source: David Eberly, "A Fast and Accurate Algorithm for Computing SLERP", Journal of Graphics, GPU, and Game Tools 15(3), 2011. The
 * largest angle of the block decides the number of terms, for a rotation within 1e-7 rad and a length within 2e-7, in exact arithmetic. Up
 * to a quarter turn between the quaternions (half a turn of the body), the polynomial takes {@value #MAX_TERMS} terms and a last
 * coefficient multiplied by {@value #LAST_TERM}, which spreads the truncation error: 3.1e-7 rad and 1.1e-6 of length.
 *
 * <p>Allocates nothing. Each loop is one simple statement over arrays without an offset, because C2 can turn that into vector code.
 */
final class SlerpWeights {

    private static final int TERMS_A_PASS = 3;
    private static final int MAX_TERMS = 12;
    private static final double LAST_TERM = 1.892445;

    /** The smallest cos a - 1 for which 3, 6 and 9 terms are enough. */
    private static final float[] MIN_FOR_TERMS = {-0.0579f, -0.2725f, -0.5017f};

    private SlerpWeights() {}

    /**
     * Computes the weights for alpha {@code t}.
     *
     * @param cosMinusOne per body, cos a - 1
     * @param least       the smallest of them
     * @param w0          receives the weights of the previous rotations
     * @param w1          receives the weights of the current rotations
     */
    static void compute(float[] cosMinusOne, float least, float t, float[] w0, float[] w1, int n) {
        int terms = terms(least);
        weights(cosMinusOne, terms, 1.0 - t, w0, n);
        weights(cosMinusOne, terms, t, w1, n);
    }

    static int terms(float leastCosMinusOne) {
        int passes = 1;
        for (float least : MIN_FOR_TERMS) {
            if (leastCosMinusOne < least) {
                passes++;
            }
        }
        return passes * TERMS_A_PASS;
    }

    /** t (1 + b1 (1 + b2 (1 + ...))), b_k = (t^2 u_k - v_k) (cos a - 1), innermost first, three terms a pass. */
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
}
