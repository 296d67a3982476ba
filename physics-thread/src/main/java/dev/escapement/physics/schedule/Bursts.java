package dev.escapement.physics.schedule;

import java.util.Arrays;

/**
 * The bursts of long ticks, and whether the present one is usual: two bursts of the last {@value #TICKS_OF_MEMORY} ticks were as large,
 * and ended. One is not enough, because a load that comes and goes begins like a burst.
 *
 * <pre>
 *   row      ticks  longer than their period, one after the other
 *   mean     ns     of the last works: each work moves it by a 60th of the difference; by a 300th: the overall mean
 *   backlog  ns     max(0, backlog + work - max(period, 1.1 mean)), after each tick: as if time were never slowed down. It
 *                   also ends between bursts that are a little more than fits
 * </pre>
 *
 * <p>Physics thread only.
 */
final class Bursts {

    private static final int MAX_ROW = 256;
    private static final int MAX_PERIODS = 20;
    private static final int TICKS_OF_MEMORY = 2000;
    private static final int TICKS_OF_MEAN = 60;
    private static final double MORE_THAN_FITS = 1.1;
    private static final int TICKS_OF_OVERALL_MEAN = 300;
    private static final double CLEAR_OVERLOAD = 1.04;

    private final Ended rows = new Ended(MAX_ROW);
    private final Ended backlogs = new Ended(MAX_PERIODS);
    private long tick;
    private int row;
    private double meanNanos;
    private double overallMeanNanos;
    private double backlogNanos;
    private double peakBacklogNanos;

    /** Forgets what has ended, because the period has changed. */
    void forget() {
        row = 0;
        backlogNanos = 0;
        peakBacklogNanos = 0;
        rows.forget();
        backlogs.forget();
    }

    /** Adds a tick. What exceeds twice the bound of lateness is a load, and no burst. */
    void add(long workNanos, long periodNanos, long maxLatenessNanos) {
        tick++;
        row++;
        double maxBacklogNanos = Math.min((double) MAX_PERIODS * periodNanos, 2.0 * maxLatenessNanos);
        meanNanos += (workNanos - meanNanos) / TICKS_OF_MEAN;
        overallMeanNanos += (workNanos - overallMeanNanos) / TICKS_OF_OVERALL_MEAN;
        backlogNanos += workNanos - Math.max((double) periodNanos, MORE_THAN_FITS * meanNanos);
        // A long load must not leave a backlog that takes as long to end.
        backlogNanos = Math.max(0, Math.min(backlogNanos, maxBacklogNanos + periodNanos));
        peakBacklogNanos = Math.max(peakBacklogNanos, backlogNanos);
        boolean isBurst = peakBacklogNanos <= maxBacklogNanos;
        if (workNanos <= periodNanos) {
            rows.end(isBurst ? row - 1 : 0, tick);
            row = 0;
        }
        if (backlogNanos == 0) {
            backlogs.end(isBurst ? (int) Math.ceil(peakBacklogNanos / periodNanos) : 0, tick);
            peakBacklogNanos = 0;
        }
    }

    boolean isRowUsual() {
        return rows.isUsual(row, tick);
    }

    /** Never in a clear overload, whose backlog is small only because of its mean: the speed would change from tick to tick. */
    boolean isBacklogUsual(long periodNanos) {
        return overallMeanNanos <= CLEAR_OVERLOAD * periodNanos
                && backlogs.isUsual((int) Math.ceil(backlogNanos / periodNanos), tick);
    }

    long meanNanos() {
        return (long) meanNanos;
    }

    /** For each size up to the largest: the ticks in which the last two bursts of at least that size have ended. */
    private static final class Ended {

        private final long[] lastTicks;
        private final long[] ticksBefore;

        Ended(int largest) {
            lastTicks = new long[largest + 1];
            ticksBefore = new long[largest + 1];
            forget();
        }

        void forget() {
            Arrays.fill(lastTicks, -TICKS_OF_MEMORY);
            Arrays.fill(ticksBefore, -TICKS_OF_MEMORY);
        }

        /** A burst larger than the largest size is a load. */
        void end(int size, long tick) {
            for (int i = 1; size < lastTicks.length && i <= size; i++) {
                ticksBefore[i] = lastTicks[i];
                lastTicks[i] = tick;
            }
        }

        boolean isUsual(int size, long tick) {
            return size > 0 && size < ticksBefore.length && tick - ticksBefore[size] < TICKS_OF_MEMORY;
        }
    }
}
