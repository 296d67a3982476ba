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
            .left("", Contestant::title)
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
        values.put("plots", ComparePlots.of(results, comparison.lookAhead()));
        values.put("aheadLegend", CompareTables.LEGEND_AHEAD);
        values.put("aheadTable", CompareTables.AHEAD.forPage(comparison.lookAhead()));
        values.put("hasReal", real != null);
        if (real != null) {
            values.put("realLegend", CompareTables.realLegend(real));
            values.put("realJava", real.java());
            values.put("realVerdict", real.machineVerdict());
            values.put("realTable", CompareTables.REAL.forPage(real.results()));
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

    /** What the page comes to in three sentences, in the figures of this run: what it gains, what that means, what it costs. */
    private static String finding(List<Result> results) {
        Result loop = find(results, Contestant.ACCUMULATOR, LoadProfile.HEAVY);
        Result lightLoop = find(results, Contestant.ACCUMULATOR, LoadProfile.LIGHT);
        Result arrival = find(results, Contestant.BY_ARRIVAL, LoadProfile.HEAVY);
        Result service = find(results, Contestant.SERVICE_3, LoadProfile.HEAVY);
        Result ahead = find(results, Contestant.SERVICE_AHEAD, LoadProfile.HEAVY);
        return String.format(
                Locale.ROOT,
                "With steps of 1 to 8 ms and 144 frames a second, the accumulator in the loop of most engines moves the picture wrongly"
                        + " by %s a frame, blending the two latest snapshots by their arrival by %s, and Escapement by %s."
                        + " Nobody sees less than 0.2 ms, and everybody sees more than 2 ms."
                        + " The price is age: Escapement's picture is %.0f ms old (%.0f if it looks a tick ahead, at the price of the place of what is hit), theirs %.0f"
                        + " and %.0f ms; where steps cost next to"
                        + " nothing, the accumulator is as even (%s) and younger (%.0f ms, Escapement %.0f ms).",
                millis(loop),
                millis(arrival),
                millis(service),
                ageMillis(service),
                ageMillis(ahead),
                ageMillis(loop),
                ageMillis(arrival),
                millis(lightLoop),
                ageMillis(lightLoop),
                ageMillis(find(results, Contestant.SERVICE_3, LoadProfile.LIGHT)));
    }

    private static double ageMillis(Result result) {
        return result.requireLookBehindMicros().mean() / 1e3;
    }

    private static String millis(Result result) {
        double millis = result.errorMicros().mean() / 1e3;
        return millis < LEAST_MILLIS ? "less than a microsecond" : String.format(Locale.ROOT, "%.2f ms", millis);
    }

    private static Result find(List<Result> results, Contestant contestant, LoadProfile load) {
        return results.stream()
                .filter(result -> result.contestant() == contestant && result.isMain(load))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "the page needs " + contestant + " under " + load + " load, which did not run"));
    }
}
