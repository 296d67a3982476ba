package dev.escapement.bench.machine;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.report.Table;
import dev.escapement.physics.TickListener;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
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
 * @param endP50     from when a step would have ended on a core of its own until it did: the median
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

    /** How many busy processes there are. */
    enum Load {
        /** None. */
        QUIET(0),
        /** As many as cores. */
        BUSY(1),
        /** Twice as many. */
        BUSIER(2);

        private final int perCore;

        Load(int perCore) {
            this.perCore = perCore;
        }

        /** How many of them for each core. */
        int perCore() {
            return perCore;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Of nanoseconds. */
    static Lateness of(Load load, WayToTick way, int stepMicros, Histogram starts, Histogram ends) {
        return new Lateness(
                load,
                way,
                stepMicros,
                starts.getValueAtPercentile(50) / 1e3,
                starts.getValueAtPercentile(90) / 1e3,
                starts.getValueAtPercentile(99) / 1e3,
                ends.getValueAtPercentile(50) / 1e3,
                ends.getValueAtPercentile(90) / 1e3,
                ends.getValueAtPercentile(99) / 1e3);
    }

    /** The median over runs of the same kind, of each number by itself; of an even number of runs, the upper. */
    static Lateness median(List<Lateness> runs) {
        Lateness first = runs.get(0);
        return new Lateness(
                first.load,
                first.way,
                first.stepMicros,
                median(runs, Lateness::p50),
                median(runs, Lateness::p90),
                median(runs, Lateness::p99),
                median(runs, Lateness::endP50),
                median(runs, Lateness::endP90),
                median(runs, Lateness::endP99));
    }

    private static double median(List<Lateness> runs, ToDoubleFunction<Lateness> number) {
        return runs.stream().mapToDouble(number).sorted().toArray()[runs.size() / 2];
    }

    /** A row for each, within 100 columns. */
    static Table<Lateness> table() {
        return new Table<Lateness>()
                .left("load", row -> row.load.toString())
                .left("way", row -> row.way.toString())
                .right("step", row -> row.stepMicros == 0 ? "" : row.stepMicros / 1e3 + " ms")
                .right("start late: p50", row -> Table.duration(row.p50))
                .right("p90", row -> Table.duration(row.p90))
                .right("p99", row -> Table.duration(row.p99))
                .right("end late: p50", row -> Table.duration(row.endP50))
                .right("p90", row -> Table.duration(row.endP90))
                .right("p99", row -> Table.duration(row.endP99));
    }

    /** Measures one run, on the thread that ticks. Read it when that has ended. */
    static final class Trace implements TickListener {

        private final long stepNanos;
        private final long warmUpNanos;
        private final Distribution starts = new Distribution();
        private final Distribution ends = new Distribution();
        private long firstDueNanos;
        private boolean ticked;

        /** Leaves out the ticks due within {@code warmUpNanos} of the first: threads start, margins are learned. */
        Trace(int stepMicros, long warmUpNanos) {
            stepNanos = TimeUnit.MICROSECONDS.toNanos(stepMicros);
            this.warmUpNanos = warmUpNanos;
        }

        @Override
        public void ticked(long tick, long dueNanos, long startedNanos, long steppedNanos, long publishedNanos) {
            if (!ticked) {
                ticked = true;
                firstDueNanos = dueNanos;
            }
            if (dueNanos - firstDueNanos >= warmUpNanos) {
                starts.record(startedNanos - dueNanos);
                ends.record(steppedNanos - dueNanos - stepNanos);
            }
        }

        Histogram starts() {
            return starts.histogram();
        }

        Histogram ends() {
            return ends.histogram();
        }
    }
}
