package dev.escapement.bench.compare;

import dev.escapement.bench.compare.Comparison.RealComparison;
import dev.escapement.bench.compare.Comparison.Result;
import dev.escapement.bench.report.HtmlPage;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The page, for people who do not know the project. */
final class ComparePage {

    private ComparePage() {}

    static String html(Comparison comparison) {
        List<Result> results = comparison.onVirtualClock();
        RealComparison real = comparison.onRealThreads();
        Map<String, Object> values = new HashMap<>();
        values.put("title", "from simulation to screen, compared");
        values.put("warmUp", VirtualContest.WARM_UP_SECONDS);
        values.put("measured", VirtualContest.MEASURED_SECONDS);
        values.put("drawMillis", LoadProfile.DRAW_NANOS / 1_000_000);
        values.put("legend", CompareTables.LEGEND);
        values.put(
                "loads",
                Arrays.stream(LoadProfile.values())
                        .map(load -> load(results, load))
                        .toList());
        values.put("contestants", CompareTables.CONTESTANTS.forPage(List.of(Contestant.values())));
        values.put("plots", List.of(ComparePlots.error(), ComparePlots.ageAndPlace(results)));
        values.put("hasReal", real != null);
        if (real != null) {
            values.put("realLegend", CompareTables.realLegend(real));
            values.put("realJava", real.java());
            values.put("realVerdict", real.machineVerdict());
            values.put("realTable", CompareTables.REAL.forPage(real.results()));
        }
        return HtmlPage.fill(ComparePage.class, "compare.html", values);
    }

    private static Map<String, Object> load(List<Result> results, LoadProfile load) {
        return Map.of(
                "name", load.toString(),
                "says", load.says(),
                "table", CompareTables.table(load).forPage(CompareTables.rows(results, load)));
    }
}
