package dev.escapement.bench.compare;

import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.report.HtmlPage;
import dev.escapement.bench.report.Table;
import dev.escapement.bench.report.Table.Cell;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The results as tables, for a terminal, and on a page for people who do not know the project. */
final class ComparePage {

    static final String LEGEND = """
            error: the simulated time by which the picture went on, less the time that passed on the display, per frame, in milliseconds:
            the mean at each pair of rates (100 Hz where nothing is said), then what 99% of the frames do not exceed. Below 0.2 nobody
            sees it, above 2 everybody does. From there on all figures are at 144 fps. frames: displayed in a second. repeats, skips: of
            10,000 frames, those in which the picture stood still or moved twice as far as it should have. behind: how old the picture is
            when it is displayed, ms. speed: simulated over real time. place, floor: how far a bouncing ball is drawn from where it is at
            that moment, and how deep in the floor, mm at most. alike: whether all steps are of one length, so that the world does not
            depend on the frame rate. K: snapshots that a reader sees, 3 by default.""";

    private static final RefreshCase MAIN = RefreshCase.FPS_144;
    private static final String NONE = "-";
    private static final double GOOD_MILLIS = 0.2;
    private static final double BAD_MILLIS = 2;

    private ComparePage() {}

    static String html(List<Result> results) {
        Map<String, Object> values = new HashMap<>();
        values.put("title", "from simulation to screen, compared");
        values.put("warmUp", VirtualContest.WARM_UP_SECONDS);
        values.put("measured", VirtualContest.MEASURED_SECONDS);
        values.put("drawMillis", LoadProfile.DRAW_NANOS / 1_000_000);
        values.put("legend", LEGEND);
        values.put("loads", loads(results));
        values.put(
                "contestants",
                new Table<Contestant>()
                        .left("row", who -> who.row)
                        .left("", who -> who.title)
                        .left("what it is", who -> who.whatItIs)
                        .left("what goes wrong", who -> who.whatGoesWrong)
                        .forPage(List.of(Contestant.values())));
        return HtmlPage.fill(ComparePage.class, "compare.html", values);
    }

    /** Those loads under which something was measured. */
    private static List<Map<String, Object>> loads(List<Result> results) {
        return Arrays.stream(LoadProfile.values())
                .filter(load -> results.stream().anyMatch(result -> result.load() == load))
                .map(load -> Map.of(
                        "name", load.toString(),
                        "says", load.says(),
                        "table", table(load).forPage(rows(results, load))))
                .toList();
    }

    /** The table of a load for a terminal. */
    static String text(List<Result> results, LoadProfile load) {
        return table(load).text(rows(results, load));
    }

    /** A contestant under one load, with its result at each pair of rates. */
    private record Row(Contestant contestant, Map<RefreshCase, Result> results) {

        Cell error(RefreshCase refresh, Function<Summary, Double> micros) {
            return ComparePage.error(micros.apply(at(refresh).errorMicros()));
        }

        String main(Function<Result, String> figure) {
            return figure.apply(at(MAIN));
        }

        private Result at(RefreshCase refresh) {
            return Objects.requireNonNull(results.get(refresh), "a table shows every pair of rates");
        }
    }

    private static List<Row> rows(List<Result> results, LoadProfile load) {
        Map<Contestant, Map<RefreshCase, Result>> found = new TreeMap<>();
        results.stream()
                .filter(result -> result.load() == load)
                .forEach(result -> found.computeIfAbsent(result.contestant(), unused -> new TreeMap<>())
                        .put(result.refresh(), result));
        return found.entrySet().stream()
                .map(entry -> new Row(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static Table<Row> table(LoadProfile load) {
        Table<Row> table = new Table<Row>()
                .left("row", row -> row.contestant().row)
                .leftCells(
                        load + " load",
                        row -> new Cell(row.contestant().title, row.contestant().isEscapement() ? "own" : ""));
        for (RefreshCase refresh : RefreshCase.values()) {
            table.rightCells(
                    (refresh == RefreshCase.FPS_60 ? "error " : "")
                            + refresh.toString().replace(" fps at 60 Hz", " at 60"),
                    row -> row.error(refresh, Summary::mean));
        }
        return table.rightCells("p99", row -> row.error(MAIN, Summary::p99))
                .right("frames", row -> row.main(result -> format("%.0f", result.framesPerSecond())))
                .right("repeats", row -> row.main(result -> format("%,.0f", result.repeatsPer10000())))
                .right("skips", row -> row.main(result -> format("%,.0f", result.skipsPer10000())))
                .right("behind", row -> row.main(result -> millis("%.1f", result.lookBehindMicros(), Summary::mean)))
                .right("speed", row -> row.main(result -> format("%.3f", result.speed())))
                .right("place", row -> row.main(result -> millis("%.0f", result.positionMicrometres(), Summary::max)))
                .right("floor", row -> row.main(result -> format("%.0f", result.belowFloorMillimetres())))
                .right("alike", row -> row.contestant().hasConstantStep() ? "yes" : "no");
    }

    /** An error in milliseconds, and its mark: nobody sees 0.2 ms, everybody sees 2 ms. */
    static Cell error(double micros) {
        double millis = Math.round(micros) / 1e3; // the mark of what is written
        return new Cell(format("%.3f", millis), millis < GOOD_MILLIS ? "good" : millis >= BAD_MILLIS ? "bad" : "");
    }

    private static String millis(String format, @Nullable Summary micros, Function<Summary, Double> figure) {
        return micros == null ? NONE : format(format, figure.apply(micros) / 1e3);
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value + 0.0); // no "-0"
    }
}
