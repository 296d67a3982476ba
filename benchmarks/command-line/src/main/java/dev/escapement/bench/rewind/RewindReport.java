package dev.escapement.bench.rewind;

import dev.escapement.bench.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * The metrics, named as the JSON file's keys. Of the pile of 1,000 boxes, if not said otherwise.
 *
 * @param rollbacks            how often a world went back at random
 * @param mismatches           how many states differed then from those of a world that does not go back
 * @param rollbackMicros       13 ticks of 100 boxes, gone back and run again, each saved
 * @param saveMicros           a tick saved, with the binding's own part
 * @param restoreMicros        the last tick restored
 * @param placeMicros          all boxes placed at an instant, for queries
 * @param bytesPerMovingBody   what is stored of a tick
 * @param rayRatio             rays beside the same in the stepped world
 */
record RewindReport(
        int rollbacks,
        long mismatches,
        Times rollbackMicros,
        Times saveMicros,
        Times restoreMicros,
        Times placeMicros,
        double bytesPerMovingBody,
        double rayRatio) {

    /** A distribution in two numbers. */
    record Times(double p50, double p99) {

        static Times of(Histogram nanos) {
            return new Times(nanos.getValueAtPercentile(50) / 1e3, nanos.getValueAtPercentile(99) / 1e3);
        }
    }

    /** A figure, and what it is to be at most. */
    record Figure(String says, double measured, double goal) {

        /** By what is shown of it. */
        boolean isReached() {
            return Math.round(100 * measured) <= 100 * goal;
        }
    }

    /** The figures in the order in which they are measured. */
    static final class Figures {

        private static final Table<Figure> TABLE = new Table<Figure>()
                .left("", Figure::says)
                .right("measured", figure -> String.format(Locale.ROOT, "%,.2f", figure.measured()))
                .right("at most", figure -> String.format(Locale.ROOT, "%,.1f", figure.goal()))
                .left("", figure -> figure.isReached() ? "reached" : "MISSED");

        private final List<Figure> all = new ArrayList<>();

        void add(String says, double measured, double goal) {
            all.add(new Figure(says, measured, goal));
        }

        /** As a table. */
        String text() {
            return TABLE.text(all);
        }
    }

    /** How long something takes, in nanoseconds. */
    static long nanos(Runnable what) {
        long beginNanos = System.nanoTime();
        what.run();
        return System.nanoTime() - beginNanos;
    }

    /** The median in milliseconds. */
    static double millis(Histogram nanos) {
        return nanos.getValueAtPercentile(50) / 1e6;
    }
}
