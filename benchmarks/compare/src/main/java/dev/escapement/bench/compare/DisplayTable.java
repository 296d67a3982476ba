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

    static String text(List<Series> measured) {
        return new Table<Series>()
                .left("display", row -> row.of().name())
                .right("jitter", row -> format("%.1f", row.of().jitterNanos() / 1e6))
                .right("calls: mean", row -> millis(mean(row.calls(), Metrics::mean)))
                .right("p99", row -> millis(max(row.calls(), Metrics::p99)))
                .right("learned: mean", row -> millis(mean(row.learned(), Metrics::mean)))
                .right("p99", row -> millis(max(row.learned(), Metrics::p99)))
                .right("worse", row -> String.valueOf(worse(row)))
                .right("older", row -> format("%.1f", older(row) / 1e6))
                .right(
                        "away",
                        row -> format(
                                "%.2f",
                                max(row.learned(), Metrics::away) / row.of().periodNanos()))
                .text(measured);
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

    private static String millis(double nanos) {
        return format("%.3f", nanos / 1e6);
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value + 0.0); // no "-0"
    }
}
