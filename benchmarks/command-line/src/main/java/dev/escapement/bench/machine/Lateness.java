package dev.escapement.bench.machine;

import dev.escapement.bench.report.Table;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * How late steps started and ended in one way to tick. All in microseconds.
 *
 * @param load       how busy the cores were
 * @param way        the way
 * @param stepMicros processor time of a step
 * @param p50        from when a step was due until it started: the median
 * @param p90        90th percentile of that
 * @param p99        99th percentile of that
 * @param endP50     from when a step would have ended on a core of its own until it was published: the median
 * @param endP90     90th percentile of that
 * @param endP99     99th percentile of that
 */
record Lateness(
        Load load,
        WayToTick way,
        int stepMicros,
        double p50,
        double p90,
        double p99,
        double endP50,
        double endP90,
        double endP99) {

    /** How many busy threads there are. */
    enum Load {
        /** None. */
        QUIET,
        /** As many as cores. */
        BUSY,
        /** Twice as many. */
        BUSIER;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The six durations of a run, from those of its ticks in nanoseconds, each since the tick was due. */
    static double[] ofRun(int stepMicros, Histogram started, Histogram ended) {
        return IntStream.range(0, 6)
                .mapToDouble(i -> {
                    double percentile = new double[] {50, 90, 99}[i % 3];
                    return i < 3
                            ? started.getValueAtPercentile(percentile) / 1e3
                            : Math.max(0, ended.getValueAtPercentile(percentile) / 1e3 - stepMicros);
                })
                .toArray();
    }

    /** The median over runs of the same kind, of each duration by itself; of an even number of runs, the upper. */
    static Lateness median(Load load, WayToTick way, int stepMicros, List<double[]> runs) {
        double[] medians = IntStream.range(0, 6)
                .mapToDouble(
                        i -> runs.stream().mapToDouble(run -> run[i]).sorted().toArray()[runs.size() / 2])
                .toArray();
        return new Lateness(
                load, way, stepMicros, medians[0], medians[1], medians[2], medians[3], medians[4], medians[5]);
    }

    /** A row for each, in ms, within 100 columns. */
    static Table<Lateness> table() {
        return new Table<Lateness>()
                .left("load", row -> row.load.toString())
                .left("way", row -> row.way.toString())
                .right("step", row -> row.stepMicros == 0 ? "" : String.valueOf(row.stepMicros / 1e3))
                .right("start", row -> millis(row.p50))
                .right("p90", row -> millis(row.p90))
                .right("p99", row -> millis(row.p99))
                .right("end", row -> millis(row.endP50))
                .right("p90", row -> millis(row.endP90))
                .right("p99", row -> millis(row.endP99));
    }

    private static String millis(double micros) {
        return String.format(Locale.ROOT, micros < 100_000 ? "%.3f" : "%.0f", micros / 1e3);
    }
}
