package dev.escapement.bench.compare;

import java.util.Locale;
import java.util.SplittableRandom;

/** How much time each step takes: a function of the step's number, so that it is equal for all contestants. */
enum LoadProfile {
    /** Next to nothing: 0.2 to 0.4 ms a step. */
    LIGHT(0x5DEECE66DL, 200_000, 400_000, 0),
    /** Much, and never the same: 1 to 8 ms a step. */
    HEAVY(0x9E6C63D0L, 1_000_000, 8_000_000, 0),
    /** Little, but now and then nearly a whole tick of 100 Hz: 1 to 1.3 ms a step, but 9 ms in 1% of the steps. */
    SPIKY(0xB4C0FFEEL, 1_000_000, 1_300_000, 0.01);

    /** The time to draw a frame, the same for all contestants. */
    static final long DRAW_NANOS = 2_000_000;

    private static final long SPIKE_NANOS = 9_000_000;
    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    private final long seed;
    private final long leastNanos;
    private final long maxNanos;
    private final double spikeShare;

    LoadProfile(long seed, long leastNanos, long maxNanos, double spikeShare) {
        this.seed = seed;
        this.leastNanos = leastNanos;
        this.maxNanos = maxNanos;
        this.spikeShare = spikeShare;
    }

    /** The time of a step, the same in every run. */
    long costNanos(long step) {
        long stepSeed = seed + (step - 1) * GOLDEN_RATIO; // each step seeds its own generator
        if (new SplittableRandom(stepSeed).nextDouble() < spikeShare) {
            return SPIKE_NANOS;
        }
        double share = new SplittableRandom(new SplittableRandom(stepSeed).nextLong()).nextDouble();
        return leastNanos + (long) ((maxNanos - leastNanos) * share);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
