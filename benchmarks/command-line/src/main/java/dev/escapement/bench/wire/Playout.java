package dev.escapement.bench.wire;

import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.measure.Series;
import dev.escapement.bench.report.Plot;
import dev.escapement.bench.report.Plot.Colour;
import dev.escapement.bench.report.Plot.Curve;
import dev.escapement.bench.report.Plot.Style;
import dev.escapement.bench.report.Table;
import dev.escapement.bench.wire.PlayoutRun.Network;
import dev.escapement.bench.wire.PlayoutRun.Shown;
import dev.escapement.bench.wire.WireReport.Goal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What viewers were shown of a world over a network, under the names of the JSON file's keys. What each is, the {@link #LEGEND} says; the mode
 * is how they get it, or who they are, and {@code wholeMillis} is null where none was stopped.
 */
record Playout(
        String mode,
        double quantile,
        double filledPercent,
        double flaggedPercent,
        Summary ageMicros,
        Summary errorMicros,
        @Nullable Double wholeMillis) {

    static final String LEGEND = """
            100 bodies, 100 Hz; 40 +- 20 ms, 5 % lost, 1 to 5 in a row; 144 frames a second, 60 s on virtual time. quantile: of delays, for which a viewer
            waits. filled: ticks that did not arrive in time. flagged: frames that show one of these, or its error as it fades; they have no animation
            error. age: how long ago the shown moment was due at the server. error: animation error by the server's clock. whole: when a viewer that was
            stopped for 3 s first showed, as it was, what happened since.""";

    static final String CALM = "7 others, none stopped";
    static final String MEANWHILE = "7 others, one stopped";
    static final String STOPPED = "the stopped one, after";

    static final Table<Playout> ROWS = new Table<Playout>()
            .left("viewers", Playout::mode)
            .right("quantile", row -> WireReport.format("%.3f", row.quantile))
            .right("filled", row -> WireReport.format("%.2f %%", row.filledPercent))
            .right("flagged", row -> WireReport.format("%.1f %%", row.flaggedPercent))
            .right("age", row -> Table.duration(row.ageMicros.mean()))
            .right("p99", row -> Table.duration(row.ageMicros.p99()))
            .right("error", row -> Table.duration(row.errorMicros.mean()))
            .right("p50", row -> Table.duration(row.errorMicros.p50()))
            .right("p99", row -> Table.duration(row.errorMicros.p99()))
            .right("whole", row -> row.wholeMillis == null ? "-" : WireReport.format("%,.0f ms", row.wholeMillis));

    private static final long SEED = 25;
    private static final double[] QUANTILES = {0.5, 0.75, 0.9, 0.95, 0.99, 0.999};
    private static final int SECONDS = 60;
    private static final int SETTLE_SECONDS = 5;
    private static final int STOP_SECONDS = 3;
    private static final int VIEWERS = 8;

    /** What is measured, one after the other. */
    static List<Supplier<List<Playout>>> parts() {
        return List.of(
                () -> of(Schemes.ACKNOWLEDGED, Network.INTERNET, SECONDS, QUANTILES),
                () -> of(Schemes.BROADCAST, Network.INTERNET, SECONDS, QUANTILES),
                () -> oneStops(SETTLE_SECONDS));
    }

    /** A viewer for each quantile. */
    static List<Playout> of(String mode, Network network, int seconds, double... quantiles) {
        PlayoutRun run = new PlayoutRun(mode.equals(Schemes.BROADCAST), network, SEED, quantiles);
        run.runFor(SETTLE_SECONDS);
        List<Shown> shown =
                run.viewers.stream().map(viewer -> run.show(List.of(viewer))).toList();
        run.runFor(seconds);
        return IntStream.range(0, quantiles.length)
                .mapToObj(i -> shown.get(i).row(mode, quantiles[i], false))
                .toList();
    }

    /** Eight viewers: what seven are shown while one is stopped, and in the same seconds if it is not; and so many seconds before and after. */
    static List<Playout> oneStops(int seconds) {
        List<Playout> rows = new ArrayList<>();
        double[] quantiles = new double[VIEWERS];
        Arrays.fill(quantiles, 0.99);
        for (boolean stops : new boolean[] {false, true}) {
            PlayoutRun run = new PlayoutRun(false, Network.INTERNET, SEED, quantiles);
            List<PlayoutRun.Viewer> others = run.viewers.subList(1, VIEWERS);
            run.runFor(SETTLE_SECONDS);
            Shown before = run.show(others);
            run.runFor(seconds);
            Shown meanwhile = run.show(others);
            if (stops) {
                run.viewers.get(0).stopFor(STOP_SECONDS * PlayoutRun.SECOND_NANOS);
            }
            run.runFor(STOP_SECONDS);
            rows.add(meanwhile.row(stops ? MEANWHILE : CALM, 0.99, false));
            if (stops) {
                Shown after = run.show(others);
                Shown stopped = run.show(run.viewers.subList(0, 1));
                run.runFor(seconds);
                rows.add(0, before.row("7 others, before", 0.99, false));
                rows.add(after.row("7 others, after", 0.99, false));
                rows.add(stopped.row(STOPPED, 0.99, true));
            }
        }
        return rows;
    }

    /** What is asked. How long ticks of a broadcast take, repairs and all, is not known beforehand: of their age nothing is asked. */
    static List<Goal> goals(List<Playout> rows) {
        ToDoubleFunction<Playout> error = row -> row.errorMicros.mean();
        ToDoubleFunction<Playout> late = row -> row.ageMicros.p99() / 1e3 - Network.INTERNET.delayMillis(row.quantile);
        ToDoubleFunction<Playout> whole = row -> row.wholeMillis == null ? Double.POSITIVE_INFINITY : row.wholeMillis;
        List<Goal> goals = new ArrayList<>();
        for (String mode : List.of(Schemes.ACKNOWLEDGED, Schemes.BROADCAST)) {
            goals.add(new Goal(mode + ": animation error, mean, us", null, 50.0, most(rows, mode, error)));
            double p99 = most(rows, mode, row -> row.errorMicros.p99());
            goals.add(new Goal(mode + ": animation error, p99, us", null, 200.0, p99));
        }
        double latest = most(rows, Schemes.ACKNOWLEDGED, late);
        goals.add(new Goal("acknowledged: p99 of age, less the quantile of delay, ms", null, 25.0, latest));
        String more = "7 others, while one is stopped: more ";
        goals.add(new Goal(more + "filled, %", null, 0.5, moreMeanwhile(rows, Playout::filledPercent)));
        goals.add(new Goal(more + "age, us", null, 100.0, moreMeanwhile(rows, row -> row.ageMicros.mean())));
        goals.add(new Goal(more + "animation error, us", null, 5.0, moreMeanwhile(rows, error)));
        goals.add(new Goal("the stopped one: whole after, ms", null, 1000.0, most(rows, STOPPED, whole)));
        return goals;
    }

    private static double moreMeanwhile(List<Playout> rows, ToDoubleFunction<Playout> figure) {
        return most(rows, MEANWHILE, figure) - most(rows, CALM, figure);
    }

    /** Of all rows of a mode; not a number if there are none. */
    private static double most(List<Playout> rows, String mode, ToDoubleFunction<Playout> figure) {
        return rows.stream()
                .filter(row -> row.mode.equals(mode))
                .mapToDouble(figure)
                .max()
                .orElse(Double.NaN);
    }

    /** The table, and what age buys. */
    static Map<String, Object> forPage(List<Playout> rows) {
        String caption =
                "Along each line, viewers wait for the quantiles 0.5, 0.75, 0.9, 0.95, 0.99 and 0.999 of delays.";
        List<Plot> plots = List.of(
                plot("Age and filled ticks", "filled ticks, %", caption, rows, row -> row.filledPercent),
                plot("Age and animation error", "p99, us", caption, rows, row -> row.errorMicros.p99()));
        return Map.of("table", ROWS.forPage(rows), "legend", LEGEND, "plots", plots);
    }

    private static Plot plot(
            String title, String unit, String caption, List<Playout> rows, ToDoubleFunction<Playout> figure) {
        List<Curve> curves = new ArrayList<>();
        for (String mode : List.of(Schemes.ACKNOWLEDGED, Schemes.BROADCAST)) {
            Series points = new Series(rows.size());
            rows.stream()
                    .filter(row -> row.mode.equals(mode))
                    .forEach(row -> points.add(row.ageMicros.mean() / 1e3, figure.applyAsDouble(row)));
            Colour colour = curves.isEmpty() ? Colour.TEAL : Colour.ORANGE;
            curves.add(new Curve(mode, points, Style.POINTS_ON_LINE, colour));
        }
        return Plot.curves(title, "age, ms", unit, caption, curves);
    }
}
