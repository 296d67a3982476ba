package dev.escapement.bench.demo;

/**
 * Sine and cosine with the same bits on every machine, for use in ticks: they use only + - * / and functions with exact results. They
 * allocate nothing, while the functions of StrictMath allocate 32 to 112 bytes a call since Java 21. Their error is at most 1e-13; near 0
 * only the last bits of the result are wrong.
 */
final class Sine {

    /** Terms of the Taylor series. The next term would add less than 1e-13. */
    private static final int TERMS = 9;

    private Sine() {}

    static double of(double radians) {
        double x = radians - 2 * Math.PI * Math.rint(radians / (2 * Math.PI)); // maps the angle to -pi to pi
        if (Math.abs(x) > Math.PI / 2) {
            x = Math.copySign(Math.PI, x) - x; // the angle mirrored at the y axis has the same sine
        }
        double sum = 1;
        for (int i = TERMS - 1; i > 0; i--) {
            sum = 1 - sum * x * x / (2 * i * (2 * i + 1));
        }
        return sum * x;
    }

    static double cosine(double radians) {
        return of(radians + Math.PI / 2);
    }
}
