package dev.escapement.bench.compare;

import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.report.Table;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The results as tables. */
final class CompareTable {

    static final String LEGEND = """
            error: the simulated time by which the picture advanced, less the time that passed on the display, per frame, absolute, ms:
            the mean at each pair of rates (100 Hz unless another rate is named), then the 99th percentile. Below 0.2 it is invisible,
            above 2 obvious. All further metrics are at 144 fps. frames: displayed in a second. repeats, skips: of 10,000 frames, those
            in which the picture stood still or moved at least twice as far as it should have. behind: how old the picture is when it is
            displayed, ms. speed: simulated over real time. place, floor: how far a bouncing ball is drawn from where it is at that
            moment, and how deep in the floor, maxima, mm. alike: whether all steps have one length, so that the world does not depend
            on the frame rate. K: snapshots that a reader sees, 3 by default.""";

    private static final RefreshCase MAIN = RefreshCase.FPS_144;
    private static final String NONE = "-";

    private CompareTable() {}

    /** The table of a load, with the contestants that were measured at every pair of rates. */
    static String text(List<Result> results, LoadProfile load) {
        return table(load).text(rows(results, load));
    }

    /** A contestant under one load, with its result at each pair of rates. */
    private record Row(Contestant contestant, Map<RefreshCase, Result> results) {

        String error(RefreshCase refresh, Function<Summary, Double> micros) {
            return format("%.3f", micros.apply(at(refresh).errorMicros()) / 1e3);
        }

        String main(Function<Result, String> metric) {
            return metric.apply(at(MAIN));
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
                .filter(entry -> entry.getValue().size() == RefreshCase.values().length)
                .map(entry -> new Row(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static Table<Row> table(LoadProfile load) {
        Table<Row> table = new Table<Row>()
                .left("row", row -> row.contestant().row)
                .left(load + " load", row -> row.contestant().title);
        for (RefreshCase refresh : RefreshCase.values()) {
            table.right(
                    (refresh == RefreshCase.FPS_60 ? "error " : "")
                            + refresh.toString().replace(" fps at 60 Hz", " at 60"),
                    row -> row.error(refresh, Summary::mean));
        }
        return table.right("p99", row -> row.error(MAIN, Summary::p99))
                .right("frames", row -> row.main(result -> format("%.0f", result.framesPerSecond())))
                .right("repeats", row -> row.main(result -> format("%,.0f", result.repeatsPer10000())))
                .right("skips", row -> row.main(result -> format("%,.0f", result.skipsPer10000())))
                .right("behind", row -> row.main(result -> millis("%.1f", result.lookBehindMicros(), Summary::mean)))
                .right("speed", row -> row.main(result -> format("%.3f", result.speed())))
                .right("place", row -> row.main(result -> millis("%.0f", result.positionMicrometres(), Summary::max)))
                .right("floor", row -> row.main(result -> format("%.0f", result.belowFloorMillimetres())))
                .right("alike", row -> row.contestant().hasConstantStep() ? "yes" : "no");
    }

    private static String millis(String format, @Nullable Summary micros, Function<Summary, Double> metric) {
        return micros == null ? NONE : format(format, metric.apply(micros) / 1e3);
    }

    private static String format(String format, double value) {
        return String.format(Locale.ROOT, format, value + 0.0); // no "-0"
    }
}
