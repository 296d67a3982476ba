package dev.escapement.bench.compare;

import dev.escapement.bench.compare.DisplayContest.Metrics;
import dev.escapement.bench.compare.DisplayContest.Series;
import dev.escapement.bench.report.Table;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What the display shows of a world whose renderer knows only when its code runs. */
final class DisplayTable {

    static final String LEGEND = """
            24 series of calls for each display, up to jitter ms early or late, 1 % of the slots missed: the animation error by the display's
            slots, ms, without the second that learning takes (two below 50 Hz; with it in the second half). calls: each frame shows the moment
            of its call. learned: FrameView.advance(nanos). p99: the largest of all series. worse: series of which the mean or p99 is larger
            than that of their calls. older: by how much the picture is older, ms. away: how far from its call, in periods, at most.""";

    private DisplayTable() {}

    /** What all series of a display gave, as {@link #LEGEND} says, named as the JSON file's keys. */
    record Row(
            String display,
            double jitterMicros,
            double callsMeanMicros,
            double callsP99Micros,
            double learnedMeanMicros,
            double learnedP99Micros,
            long worseSeries,
            double olderMicros,
            double awayPeriods) {

        static Row of(Series series) {
            return new Row(
                    series.of().name(),
                    series.of().jitterNanos() / 1e3,
                    mean(series.calls(), Metrics::mean) / 1e3,
                    max(series.calls(), Metrics::p99) / 1e3,
                    mean(series.learned(), Metrics::mean) / 1e3,
                    max(series.learned(), Metrics::p99) / 1e3,
                    worse(series),
                    older(series) / 1e3,
                    max(series.learned(), Metrics::away) / series.of().periodNanos());
        }
    }

    static String text(List<Row> rows) {
        return new Table<Row>()
                .left("display", Row::display)
                .right("jitter", row -> format("%.1f", row.jitterMicros() / 1e3))
                .right("calls: mean", row -> millis(row.callsMeanMicros()))
                .right("p99", row -> millis(row.callsP99Micros()))
                .right("learned: mean", row -> millis(row.learnedMeanMicros()))
                .right("p99", row -> millis(row.learnedP99Micros()))
                .right("worse", row -> String.valueOf(row.worseSeries()))
                .right("older", row -> format("%.1f", row.olderMicros() / 1e3))
                .right("away", row -> format("%.2f", row.awayPeriods()))
                .text(rows);
    }

    /** Of how many series the mean or the 99th percentile is larger than that of the calls. */
    static long worse(Series row) {
        long worse = 0;
        for (int i = 0; i < row.calls().size(); i++) {
            Metrics calls = row.calls().get(i);
            Metrics learned = row.learned().get(i);
            worse += learned.mean() > calls.mean() || learned.p99() > calls.p99() ? 1 : 0;
        }
        return worse;
    }

    /** By how much the picture is older than that of the calls, in the mean of a series, nanoseconds: the largest of all. */
    static double older(Series row) {
        double older = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < row.calls().size(); i++) {
            older = Math.max(
                    older, row.learned().get(i).age() - row.calls().get(i).age());
        }
        return older;
    }

    static double max(List<Metrics> series, ToDoubleFunction<Metrics> metric) {
        return series.stream().mapToDouble(metric).max().orElseThrow();
    }

    private static double mean(List<Metrics> series, ToDoubleFunction<Metrics> metric) {
        return series.stream().mapToDouble(metric).average().orElseThrow();
    }

    private static String millis(double micros) {
        return format("%.3f", micros / 1e3);
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value + 0.0); // no "-0"
    }
}
