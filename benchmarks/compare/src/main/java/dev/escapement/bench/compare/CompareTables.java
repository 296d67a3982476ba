package dev.escapement.bench.compare;

import dev.escapement.bench.compare.Comparison.RealComparison;
import dev.escapement.bench.compare.Comparison.RealResult;
import dev.escapement.bench.compare.Comparison.Result;
import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.report.Table;
import dev.escapement.bench.report.Table.Cell;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** The results as tables, for a terminal and for the page. */
final class CompareTables {

    static final String LEGEND = """
            error: the simulated time by which the picture went on, less the time that passed on the display, per frame, in milliseconds:
            the mean at each pair of rates (100 Hz where nothing is said), then what 99% of the frames do not exceed. Below 0.2 nobody
            sees it, above 2 everybody does. From there on all figures are at 144 fps. frames: displayed in a second. repeats, skips: of
            10,000 frames, those in which the picture stood still or moved twice as far as it should have. behind: how old the picture is
            when it is displayed, ms. speed: simulated over real time. place, floor: how far a bouncing ball is drawn from where it is at
            that moment, and how deep in the floor, mm at most. alike: whether all steps are of one length, so that the world does not
            depend on the frame rate. K: snapshots that a reader sees, 3 by default.""";

    private static final RefreshCase FIRST = RefreshCase.FPS_60;
    private static final RefreshCase MAIN = RefreshCase.FPS_144;
    private static final String NONE = "-";
    private static final double GOOD_MILLIS = 0.2;
    private static final double BAD_MILLIS = 2;

    /** Who is who. */
    static final Table<Contestant> CONTESTANTS = new Table<Contestant>()
            .left("row", who -> who.row)
            .left("", who -> who.title)
            .left("what it is", who -> who.whatItIs)
            .left("what goes wrong", who -> who.whatGoesWrong);

    /** A row for each that ran on real threads. */
    static final Table<RealResult> REAL = new Table<RealResult>()
            .left("load", result -> result.slot().load().toString())
            .left("rates", result -> result.slot().refresh().toString())
            .leftCells("real threads", result -> name(result.slot().contestant()))
            .rightCells(
                    "error slot", result -> error(result.slot().errorMicros().mean()))
            .rightCells("p99", result -> error(result.slot().errorMicros().p99()))
            .rightCells(
                    "displayed", result -> error(result.displayedErrorMicros().mean()))
            .rightCells("p99", result -> error(result.displayedErrorMicros().p99()))
            .rightCells(
                    "completed", result -> error(result.completionErrorMicros().mean()))
            .rightCells("p99", result -> error(result.completionErrorMicros().p99()))
            .right("missed", result -> String.format(Locale.ROOT, "%,d", result.missedSlots()))
            .right("behind", result -> lookBehind(result.slot()));

    private CompareTables() {}

    /** A contestant under one load, with its result at each pair of rates. */
    record Row(Contestant contestant, Map<RefreshCase, Result> results) {

        private Cell error(RefreshCase refresh, Function<Summary, Double> micros) {
            Result result = results.get(refresh);
            return result == null ? Cell.marked(NONE, "") : CompareTables.error(micros.apply(result.errorMicros()));
        }

        private String main(Function<Result, String> figure) {
            Result result = results.get(MAIN);
            return result == null ? NONE : figure.apply(result);
        }
    }

    /** A row for each contestant that ran under a load on the virtual clock. */
    static List<Row> rows(List<Result> results, LoadProfile load) {
        Map<Contestant, Map<RefreshCase, Result>> found = new TreeMap<>();
        results.stream()
                .filter(result -> result.load() == load)
                .forEach(result -> found.computeIfAbsent(result.contestant(), unused -> new TreeMap<>())
                        .put(result.refresh(), result));
        return found.entrySet().stream()
                .map(entry -> new Row(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** The table of a load. */
    static Table<Row> table(LoadProfile load) {
        Table<Row> table = new Table<Row>()
                .left("row", row -> row.contestant().row)
                .leftCells(load + " load", row -> name(row.contestant()));
        for (RefreshCase refresh : RefreshCase.values()) {
            table.rightCells(
                    (refresh == FIRST ? "error " : "") + refresh.toString().replace(" fps at 60 Hz", " at 60"),
                    row -> row.error(refresh, Summary::mean));
        }
        return table.rightCells("p99", row -> row.error(MAIN, Summary::p99))
                .right("frames", row -> row.main(result -> format("%.0f", result.framesPerSecond())))
                .right("repeats", row -> row.main(result -> format("%,.0f", result.repeatsPer10000())))
                .right("skips", row -> row.main(result -> format("%,.0f", result.skipsPer10000())))
                .right("behind", row -> row.main(CompareTables::lookBehind))
                .right("speed", row -> row.main(result -> format("%.3f", result.speed())))
                .right("place", row -> row.main(CompareTables::place))
                .right("floor", row -> row.main(result -> format("%.0f", result.belowFloorMillimetres())))
                .right("alike", row -> row.contestant().hasConstantStep() ? "yes" : "no");
    }

    static String realLegend(RealComparison comparison) {
        return String.format(
                Locale.ROOT,
                """
                With %s in the scene, for %d s each after %d s of warm-up; steps work as long as the load says, or as the crowd needs. error slot: by the
                slots that frames were meant for; displayed: by those they were in time for; completed: by when they were complete, with all the
                jitter of the operating system in it. A picture that is right by construction has %.3f there (p99 %.3f). missed: slots without a
                frame, because the one before took too long.""",
                comparison.crowd(),
                comparison.measuredSeconds(),
                comparison.warmUpSeconds(),
                comparison.analyticCompletionMicros().mean() / 1e3,
                comparison.analyticCompletionMicros().p99() / 1e3);
    }

    private static Cell name(Contestant contestant) {
        return Cell.marked(contestant.title, contestant.isEscapement() ? "own" : "");
    }

    /** An error in milliseconds, and its mark: nobody sees 0.2 ms, everybody sees 2 ms. */
    static Cell error(double micros) {
        double millis = Math.round(micros) / 1e3; // the mark of what is written
        return Cell.marked(format("%.3f", millis), millis < GOOD_MILLIS ? "good" : millis >= BAD_MILLIS ? "bad" : "");
    }

    private static String place(Result result) {
        Summary place = result.positionMicrometres();
        return place == null ? NONE : format("%.0f", place.max() / 1e3);
    }

    private static String lookBehind(Result result) {
        Summary age = result.lookBehindMicros();
        return age == null ? NONE : format("%.1f", age.mean() / 1e3);
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value + 0.0); // no "-0"
    }
}
