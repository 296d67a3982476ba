package dev.escapement.render.interpolation;

/** Angles in radians, the shorter way round. */
final class Angles {

    private static final double TWO_PI = 2 * Math.PI;

    private Angles() {}

    static void lerp(float[] a, float[] b, float alpha, float[] out, int n) {
        for (int i = 0; i < n; i++) {
            double way = (double) b[i] - a[i];
            way -= TWO_PI * Math.rint(way / TWO_PI);
            out[i] = (float) (a[i] + way * alpha);
        }
    }
}
