package dev.escapement.bench.compare;

import dev.escapement.bench.compare.contest.Contestant;
import dev.escapement.bench.compare.contest.LoadProfile;
import dev.escapement.bench.compare.contest.RefreshCase;
import dev.escapement.bench.compare.contest.Result;
import dev.escapement.bench.compare.real.RealComparison;
import dev.escapement.bench.compare.virtual.VirtualContest;
import dev.escapement.bench.report.HtmlPage;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The page: for people who do not know the project. */
final class ComparePage {

    private static final String TEMPLATE = "compare.html";
    private static final double LEAST_MILLIS = 0.001;

    private ComparePage() {}

    /**
     * What ran on real threads.
     *
     * @param legend what to know
     * @param java   the JVM
     * @param rows   a row per contestant and load
     */
    private record Real(String legend, String java, List<RealRow> rows) {

        static List<Real> of(Comparison comparison) {
            RealComparison real = comparison.onRealThreads();
            return real == null ? List.of() : List.of(new Real(RealTable.legend(real), real.java(), RealRow.of(real)));
        }
    }

    /**
     * A load, and everybody under it.
     *
     * @param name the load's name
     * @param says what it is
     * @param rows a row per contestant
     */
    private record Table(String name, String says, List<CompareRow> rows) {}

    static String html(Comparison comparison) {
        return HtmlPage.fill(
                ComparePage.class,
                TEMPLATE,
                Map.of(
                        "finding", finding(comparison.onVirtualClock()),
                        "warmUp", VirtualContest.WARM_UP_SECONDS,
                        "measured", VirtualContest.MEASURED_SECONDS,
                        "drawMillis", LoadProfile.DRAW_NANOS / 1_000_000,
                        "refreshes",
                                Arrays.stream(RefreshCase.values())
                                        .map(RefreshCase::toString)
                                        .toList(),
                        "tables", tables(comparison.onVirtualClock()),
                        "real", Real.of(comparison),
                        "contestants", CompareFile.Entry.all(),
                        "plots", ComparePlots.of(comparison.onVirtualClock())));
    }

    private static List<Table> tables(List<Result> results) {
        return Arrays.stream(LoadProfile.values())
                .map(load -> new Table(load.toString(), load.says(), CompareRow.of(results, load)))
                .filter(table -> !table.rows().isEmpty())
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
