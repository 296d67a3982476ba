package dev.escapement.bench.compare;

import java.util.Locale;
import java.util.Random;
import java.util.SplittableRandom;

/** How long each step takes. The time depends only on the step's number, so that it is the same for all contestants. */
enum LoadProfile {
    LIGHT(0x5DEECE66DL, 200_000, 400_000),
    HEAVY(0x9E6C63D0L, 1_000_000, 8_000_000),
    STEPS_11_MS(0x11D1CEL, 11_000_000, 11_100_000),
    STEPS_14_MS(0x14D1CEL, 14_000_000, 14_100_000),
    STEPS_20_MS(0x20D1CEL, 20_000_000, 20_100_000),
    /** Steps of 2 ms that rise to 14 ms over the 50 steps after step 400, and fall back over the 50 steps after step 700. */
    RAMP(0x4A3BL, 2_000_000, 2_100_000) {
        @Override
        long costNanos(long step) {
            long up = Math.max(0, Math.min(HEAVY_FROM_STEP + RAMP_STEPS, step) - HEAVY_FROM_STEP);
            long down = Math.max(0, Math.min(HEAVY_TO_STEP + RAMP_STEPS, step) - HEAVY_TO_STEP);
            return super.costNanos(step) + EXCESS_NANOS * (up - down) / RAMP_STEPS;
        }
    },
    /** Steps of 2 ms, but of 14 ms from step 400 to step 700. */
    COMES_AND_GOES(0xC0E5L, 2_000_000, 2_100_000) {
        @Override
        long costNanos(long step) {
            boolean isHeavy = step > HEAVY_FROM_STEP && step <= HEAVY_TO_STEP;
            return super.costNanos(step) + (isHeavy ? EXCESS_NANOS : 0);
        }
    },
    TURNS_OF_2_AND_16_MS(1, 2, 1, 16),
    FIVE_OF_2_ONE_OF_30_MS(5, 2, 1, 30),
    THREE_OF_2_ONE_OF_25_MS(3, 2, 1, 25),
    NINE_OF_2_ONE_OF_60_MS(9, 2, 1, 60),
    NINE_OF_3_ONE_OF_20_MS(9, 3, 1, 20),
    /** Steps with a lognormal distribution of time: a mean of 8 ms and a sigma of 0.5. */
    LOGNORMAL_8_MS(0x106E0FL, 0, 8_000_000) {
        @Override
        long costNanos(long step) {
            double deviation = SIGMA * new Random(stepSeed(step)).nextGaussian();
            return (long) (super.maxNanos * Math.exp(deviation - SIGMA * SIGMA / 2));
        }
    },
    SIX_OF_2_THREE_OF_22_MS(6, 2, 3, 22),
    SEVENTEEN_OF_2_THREE_OF_22_MS(17, 2, 3, 22),
    SEVENTEEN_OF_2_THREE_OF_40_MS(17, 2, 3, 40),
    NINETY_SEVEN_OF_2_THREE_OF_40_MS(97, 2, 3, 40),
    SIXTEEN_OF_2_FOUR_OF_30_MS(16, 2, 4, 30);

    /** The time to draw a frame, the same for all contestants. */
    static final long DRAW_NANOS = 2_000_000;

    private static final long HEAVY_FROM_STEP = 400;
    private static final long HEAVY_TO_STEP = 700;
    private static final long RAMP_STEPS = 50;
    private static final long EXCESS_NANOS = 12_000_000;
    private static final double SIGMA = 0.5;
    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    private final long seed;
    private final long leastNanos;
    private final long maxNanos;

    /** How many short steps alternate with how many long ones; 0 for a load that does not alternate. */
    private final int shortSteps;

    private final int longSteps;

    LoadProfile(int shortSteps, long shortMillis, int longSteps, long longMillis) {
        this(0, shortMillis * 1_000_000, longMillis * 1_000_000, shortSteps, longSteps);
    }

    LoadProfile(long seed, long leastNanos, long maxNanos) {
        this(seed, leastNanos, maxNanos, 0, 0);
    }

    LoadProfile(long seed, long leastNanos, long maxNanos, int shortSteps, int longSteps) {
        this.seed = seed;
        this.leastNanos = leastNanos;
        this.maxNanos = maxNanos;
        this.shortSteps = shortSteps;
        this.longSteps = longSteps;
    }

    long costNanos(long step) {
        if (shortSteps > 0) {
            return step % (shortSteps + longSteps) < longSteps ? maxNanos : leastNanos;
        }
        double share = new SplittableRandom(new SplittableRandom(stepSeed(step)).nextLong()).nextDouble();
        return leastNanos + (long) ((maxNanos - leastNanos) * share);
    }

    final long stepSeed(long step) {
        return seed + (step - 1) * GOLDEN_RATIO;
    }

    /** Whether all steps take longer than a tick, at least for some time. */
    boolean isOverload() {
        return hasLongSteps() && !isUneven();
    }

    /** Whether some steps take longer than a tick, but the average step fits into a tick. */
    boolean isUneven() {
        return compareTo(TURNS_OF_2_AND_16_MS) >= 0;
    }

    /** Whether three or more steps in a row take longer than a tick, but the average step fits into a tick. */
    boolean hasBursts() {
        return longSteps >= 3;
    }

    /** The steps that alternate, in milliseconds, for the head of a column: "6 x 2, 3 x 22". */
    String title() {
        String title = shortSteps + " x " + leastNanos / 1_000_000 + ", " + longSteps + " x " + maxNanos / 1_000_000;
        return this == LOGNORMAL_8_MS ? "lognormal" : title.replace("1 x ", "");
    }

    /** Whether some or all steps take longer than a tick. Such a load is measured at one display rate only. */
    boolean hasLongSteps() {
        return compareTo(STEPS_11_MS) >= 0;
    }

    /** The name in tables and files, for example "steps 11 ms". */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
