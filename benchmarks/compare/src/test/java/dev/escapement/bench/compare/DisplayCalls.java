package dev.escapement.bench.compare;

import java.util.Arrays;
import java.util.SplittableRandom;

/** A series of a renderer's calls. */
final class DisplayCalls {

    private static final double MIN_INTERVAL_NANOS = 300_000;
    private static final double MISSED = 0.01;

    /** The lowest rate of a display of variable rate. */
    private static final double MIN_HERTZ = 48;

    private static final double MAX_HERTZ = 144;

    /** The instant of each call. */
    final long[] callNanos;

    /** The instant at which the display shows each frame. */
    final long[] slotNanos;

    DisplayCalls(long[] callNanos, long[] slotNanos) {
        this.callNanos = callNanos;
        this.slotNanos = slotNanos;
    }

    /** The intervals of frames where the display waits for them. */
    enum Variable {
        /** Intervals without any regularity. */
        ANY,
        /** The rate changes slowly, by a random walk. */
        WANDERS,
        /** The rate swings slowly between 90 and 110 Hz. */
        SWINGS
    }

    /** Creates calls up to {@code jitterNanos} early or late on a display of constant rate. They miss 1 % of the slots. */
    static DisplayCalls constant(double hertz, double jitterNanos, double seconds, SplittableRandom random) {
        Series series = new Series((int) (hertz * seconds) + 1);
        double slot = random.nextDouble();
        double end = slot + hertz * seconds;
        while (slot < end) {
            series.add(slot * 1e9 / hertz, jitterNanos, random);
            slot++;
            if (random.nextDouble() < MISSED) {
                slot += random.nextInt(4) == 3 ? 2 : 1;
            }
        }
        return series.calls();
    }

    /**
     * Creates calls of a renderer whose display waits for them, up to {@code jitterNanos} away from the instants at which their frames are
     * shown.
     */
    static DisplayCalls variable(Variable how, double jitterNanos, double seconds, SplittableRandom random) {
        Series series = new Series((int) (MAX_HERTZ * seconds) + 2);
        double nanos = 0;
        double hertz = 60 + 70 * random.nextDouble();
        double phase = 10e9 * random.nextDouble();
        while (nanos < 1e9 * seconds) {
            hertz = switch (how) {
                case ANY -> MIN_HERTZ + (MAX_HERTZ - MIN_HERTZ) * random.nextDouble();
                case WANDERS -> Math.max(MIN_HERTZ, Math.min(hertz + 1.5 * random.nextGaussian(), MAX_HERTZ));
                case SWINGS ->
                    1e9 / (1e9 / (100 + 10 * Math.sin((nanos + phase) / 1.5e9)) + 100_000 * random.nextGaussian());
            };
            nanos += 1e9 / hertz;
            series.add(nanos, jitterNanos, random);
        }
        return series.calls();
    }

    private static final class Series {

        private final long[] callNanos;
        private final long[] slotNanos;
        private double lastNanos = -MIN_INTERVAL_NANOS;
        private int count;

        Series(int max) {
            callNanos = new long[max];
            slotNanos = new long[max];
        }

        void add(double slot, double jitterNanos, SplittableRandom random) {
            double call = slot + jitterNanos * (2 * random.nextDouble() - 1);
            lastNanos = Math.max(call, lastNanos + MIN_INTERVAL_NANOS);
            callNanos[count] = Math.round(lastNanos);
            slotNanos[count++] = Math.round(slot);
        }

        DisplayCalls calls() {
            return new DisplayCalls(Arrays.copyOf(callNanos, count), Arrays.copyOf(slotNanos, count));
        }
    }
}
