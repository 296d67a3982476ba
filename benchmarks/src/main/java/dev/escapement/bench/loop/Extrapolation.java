package dev.escapement.bench.loop;

/** Draws where a body will be if it goes on as it did: nothing is late, and everything that changes its mind is wrong. */
public final class Extrapolation {

    private Extrapolation() {}

    /** Current plus the last change, by alpha. */
    public static double draw(double previous, double current, double alpha) {
        return current + (current - previous) * alpha;
    }

    /** Between previous and current, by alpha, for comparison. */
    public static double interpolate(double previous, double current, double alpha) {
        return previous * (1 - alpha) + current * alpha;
    }
}
