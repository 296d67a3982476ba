package dev.escapement.bench.compare;

import dev.escapement.bench.compare.Comparison.RealComparison;
import dev.escapement.bench.report.HtmlPage;
import dev.escapement.bench.report.Table;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The page, for people who do not know the project. */
final class ComparePage {

    private static final String TEMPLATE = "compare.html";
    private static final double LEAST_MILLIS = 0.001;

    private static final Table<Contestant> CONTESTANTS = new Table<Contestant>()
            .left("row", Contestant::row)
            .left("", Contestant::toString)
            .left("what it is", Contestant::whatItIs)
            .left("what goes wrong", Contestant::whatGoesWrong);

    private ComparePage() {}

    static String html(Comparison comparison) {
        List<Result> results = comparison.onVirtualClock();
        RealComparison real = comparison.onRealThreads();
        Map<String, Object> values = new HashMap<>();
        values.put("title", "from simulation to screen, compared");
        values.put("finding", finding(results));
        values.put("warmUp", VirtualContest.WARM_UP_SECONDS);
        values.put("measured", VirtualContest.MEASURED_SECONDS);
        values.put("drawMillis", LoadProfile.DRAW_NANOS / 1_000_000);
        values.put("loads", loads(results));
        values.put("contestants", CONTESTANTS.forPage(List.of(Contestant.values())));
        values.put("plots", ComparePlots.of(results));
        values.put("hasReal", real != null);
        if (real != null) {
            values.put("realLegend", CompareTables.realLegend(real));
            values.put("realJava", real.java());
            values.put("realVerdicts", real.verdicts());
            values.put("realTable", CompareTables.forPage(real));
        }
        return HtmlPage.fill(ComparePage.class, TEMPLATE, values);
    }

    private static List<Map<String, Object>> loads(List<Result> results) {
        return Arrays.stream(LoadProfile.values())
                .filter(load -> results.stream().anyMatch(result -> result.load() == load))
                .map(load -> Map.of(
                        "name", load.toString(), "says", load.says(), "table", CompareTables.forPage(results, load)))
                .toList();
    }

    /** What the page comes to, in the figures of this run: where it helps, and where it does not. */
    private static String finding(List<Result> results) {
        return "On a virtual clock, at 144 frames a second, the loop of most engines, blending snapshots by their arrival, and Escapement: with "
                + finding(results, LoadProfile.HEAVY) + " With " + finding(results, LoadProfile.LIGHT);
    }

    private static String finding(List<Result> results, LoadProfile load) {
        Result loop = find(results, Contestant.ACCUMULATOR, load);
        Result arrival = find(results, Contestant.BY_ARRIVAL, load);
        Result service = find(results, Contestant.SERVICE_3, load);
        return String.format(
                Locale.ROOT,
                "%s they move the picture wrongly by %s, %s and %s a frame in the mean. Their pictures are %.0f, %.0f and %.0f ms old"
                        + " in the mean, and one in a hundred is older than %.0f, %.0f and %.0f ms.",
                load.says(),
                millis(loop),
                millis(arrival),
                millis(service),
                loop.requireLookBehindMicros().mean() / 1e3,
                arrival.requireLookBehindMicros().mean() / 1e3,
                service.requireLookBehindMicros().mean() / 1e3,
                loop.requireLookBehindMicros().p99() / 1e3,
                arrival.requireLookBehindMicros().p99() / 1e3,
                service.requireLookBehindMicros().p99() / 1e3);
    }

    private static String millis(Result result) {
        double millis = result.errorMicros().mean() / 1e3;
        return millis < LEAST_MILLIS ? "less than a microsecond" : String.format(Locale.ROOT, "%.2f ms", millis);
    }

    private static Result find(List<Result> results, Contestant contestant, LoadProfile load) {
        return Comparison.find(results, contestant, load, RefreshCase.FPS_144)
                .orElseThrow(() -> new IllegalStateException(
                        "the page needs " + contestant + " under " + load + " load, which did not run"));
    }
}
