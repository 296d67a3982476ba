package dev.escapement.bench.rewind;

import dev.escapement.bench.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** What was measured: for people a table, in the order in which it was measured, and for programs a map. */
final class Figures {

    private static final Table<Figure> TABLE = new Table<Figure>()
            .left("", Figure::says)
            .right("measured", figure -> String.format(Locale.ROOT, "%,.2f", figure.measured))
            .right("at most", figure -> String.format(Locale.ROOT, "%,.2f", figure.goal))
            .left("", figure -> figure.isReached() ? "reached" : "MISSED");

    private final Runnable progress;
    private final List<Figure> all = new ArrayList<>();

    /** By the keys of the JSON file. */
    final Map<String, Object> json = new LinkedHashMap<>();

    /** A figure, and what it is to be at most. */
    private record Figure(String says, double measured, double goal) {

        /** By what is shown of it. */
        boolean isReached() {
            return Math.round(100 * measured) <= Math.round(100 * goal);
        }
    }

    Figures(Runnable progress) {
        this.progress = progress;
    }

    void add(String says, double measured, double goal) {
        all.add(new Figure(says, measured, goal));
        progress.run();
    }

    /** Adds a distribution for programs, in two numbers. */
    void micros(String key, Histogram nanos) {
        json.put(key, Map.of("p50", nanos.getValueAtPercentile(50) / 1e3, "p99", nanos.getValueAtPercentile(99) / 1e3));
    }

    String table() {
        return TABLE.text(all);
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

    /** How long one takes beside another, medians. */
    static double ratio(Histogram of, Histogram over) {
        return (double) of.getValueAtPercentile(50) / over.getValueAtPercentile(50);
    }
}
