package dev.escapement.bench.compare;

import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.report.Table;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

final class CompareTable {

    private static final String LEGEND = """
            error: the simulated time by which the picture advanced, less the time that passed on the display, per frame, absolute, ms:
            the mean at each pair of rates (100 Hz unless another rate is named), then the 99th percentile. Below 0.2 it is invisible,
            above 2 obvious. All further metrics are at 144 fps. frames: displayed in a second. repeats, skips: of 10,000 frames, those
            in which the picture stood still or moved at least twice as far as it should have. behind: how old the picture is when it is
            displayed, ms. speed: simulated over real time. uneven: how far a frame's motion is from the mean motion, in % of it, on
            average. place, floor: how far a bouncing ball is drawn from where it is at that
            moment, and how deep in the floor, maxima, mm. alike: whether all steps have one length, so that the world does not depend
            on the frame rate. K: snapshots that a reader sees, 3 by default.""";

    private static final String OVERLOAD_LEGEND = """
            At 144 fps and 100 Hz, 10 s after 2 s. frames: displayed in a second. speed: simulated over real time. \
            uneven: how far a
            frame's motion is from the mean motion, in % of it: the mean, then the 99th percentile. ramp: from 2 to 14 ms a step and back,
            within half a second each; 2, 14, 2 ms: at once. abrupt: frames whose speed differs by more than 15 % from the one before.
            stand: frames that show the same as the one before.""";

    private static final String FITTING_LEGEND = """
            At 144 fps and 100 Hz, 10 s after 2 s: steps that fit on average, of which some take longer than a tick, in ms. \
            speed: simulated over real
            time. uneven: how far a frame's motion is from the mean motion, in % of it, on average. stand: frames that show the
            same as the one before.""";
    private static final String LOGNORMAL_LEGEND = " lognormal: a mean of 8 ms, sigma 0.5.";
    private static final String WINDOW_LEGEND = " K: snapshots in a window, 3 by default.";

    private static final RefreshCase MAIN = RefreshCase.FPS_144;
    private static final String NONE = "-";

    private CompareTable() {}

    static String text(List<Result> results, Profile profile) {
        boolean isOneLoad = profile.loads().size() == 1;
        int columns = isOneLoad ? RefreshCase.values().length : profile.loads().size();
        Map<Contestant, Map<Object, Result>> found = new TreeMap<>();
        results.stream()
                .filter(result -> profile.loads().contains(result.load()))
                .forEach(result -> found.computeIfAbsent(result.contestant(), unused -> new HashMap<>())
                        .put(isOneLoad ? result.refresh() : result.load(), result));
        Table<Row> table = switch (profile) {
            case OVERLOAD -> overloadTable();
            case UNEVEN, BURSTS -> unevenTable(profile);
            default -> table(profile);
        };
        return table.textWithoutBorders(found.entrySet().stream()
                .filter(entry -> entry.getValue().size() == columns)
                .map(entry -> new Row(entry.getKey(), entry.getValue()))
                .toList());
    }

    /** Returns in a sentence how evenly the picture moves at worst, of contestants that keep real time; empty unless all loads ran. */
    static Optional<String> verdict(List<Result> results, Profile profile) {
        Map<Contestant, Double> worst = new TreeMap<>();
        List<Contestant> ran = results.stream()
                .filter(each -> profile.loads().contains(each.load()) && each.refresh() == MAIN)
                .filter(each -> each.contestant().keepsTime())
                .peek(result -> worst.merge(result.contestant(), result.unevennessPercent(), Math::max))
                .map(Result::contestant)
                .toList();
        int loads = profile.loads().size();
        worst.keySet().removeIf(each -> Collections.frequency(ran, each) < loads);
        if (!worst.keySet().containsAll(List.of(Contestant.SERVICE_3, Contestant.ACCUMULATOR))) {
            return Optional.empty();
        }
        return worst.keySet().stream()
                .filter(other -> other.compareTo(Contestant.SERVICE_2) < 0)
                .min(Comparator.comparing(worst::get))
                .map(best -> String.format(
                        Locale.ROOT,
                        "Verdict at 144 fps: Escapement's picture is %.1f %% uneven, the usual accumulator's %.1f %%, and that of the"
                                + " best other that keeps real time, %s, %.1f %%.",
                        worst.get(Contestant.SERVICE_3),
                        worst.get(Contestant.ACCUMULATOR),
                        best.title,
                        worst.get(best)));
    }

    static String legend(Profile profile) {
        return switch (profile) {
            case OVERLOAD -> OVERLOAD_LEGEND;
            case UNEVEN -> FITTING_LEGEND + LOGNORMAL_LEGEND + WINDOW_LEGEND;
            case BURSTS -> FITTING_LEGEND + WINDOW_LEGEND;
            default -> LEGEND;
        };
    }

    /** A row of a table: a contestant with its results. The key of a result is its pair of rates in a table of one load, else its load. */
    private record Row(Contestant contestant, Map<Object, Result> results) {

        String error(RefreshCase refresh, Function<Summary, Double> micros) {
            return format("%.3f", micros.apply(at(refresh).errorMicros()) / 1e3);
        }

        String main(Function<Result, String> metric) {
            return metric.apply(at(MAIN));
        }

        Result at(Object rateOrLoad) {
            return Objects.requireNonNull(results.get(rateOrLoad), "a table shows every pair of rates, or every load");
        }
    }

    private static Table<Row> overloadTable() {
        Table<Row> table = new Table<Row>()
                .left("row", row -> row.contestant().row)
                .left("overload", row -> row.contestant().title);
        steady(table, "11 ms", LoadProfile.STEPS_11_MS);
        steady(table, "14 ms", LoadProfile.STEPS_14_MS);
        steady(table, "20 ms", LoadProfile.STEPS_20_MS);
        changing(table, "ramp", LoadProfile.RAMP);
        changing(table, "2, 14, 2 ms", LoadProfile.COMES_AND_GOES);
        return table;
    }

    private static Table<Row> unevenTable(Profile profile) {
        Table<Row> table = new Table<Row>()
                .left("row", row -> row.contestant().row)
                .left(profile.toString(), row -> row.contestant().title);
        for (LoadProfile load : profile.loads()) {
            table.right(
                            load.title() + ": speed",
                            row -> format("%.2f", row.at(load).speed()))
                    .right("uneven", row -> format("%.1f", row.at(load).unevennessPercent()))
                    .right("stand", row -> Long.toString(row.at(load).standingFrames()));
        }
        return table;
    }

    private static void steady(Table<Row> table, String title, LoadProfile load) {
        table.right(title + ": frames", row -> framesPerSecond(row.at(load)))
                .right("speed", row -> format("%.2f", row.at(load).speed()))
                .right("uneven", row -> format("%.1f", row.at(load).unevennessPercent()))
                .right("p99", row -> format("%.1f", row.at(load).unevennessP99Percent()));
    }

    private static String framesPerSecond(Result result) {
        return format(result.framesPerSecond() < 10 ? "%.1f" : "%.0f", result.framesPerSecond());
    }

    private static void changing(Table<Row> table, String title, LoadProfile load) {
        table.right(title + ": abrupt", row -> Long.toString(row.at(load).abruptFrames()))
                .right("stand", row -> Long.toString(row.at(load).standingFrames()));
    }

    private static Table<Row> table(Profile profile) {
        Table<Row> table = new Table<Row>()
                .left("row", row -> row.contestant().row)
                .left(profile + " load", row -> row.contestant().title);
        for (RefreshCase refresh : RefreshCase.values()) {
            table.right(
                    (refresh == RefreshCase.FPS_60 ? "error " : "")
                            + refresh.toString().replace(" fps at 60 Hz", " at 60"),
                    row -> row.error(refresh, Summary::mean));
        }
        return table.right("p99", row -> row.error(MAIN, Summary::p99))
                .right("uneven", row -> row.main(result -> format("%.1f", result.unevennessPercent())))
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
        // + 0.0 turns -0.0 into 0.0, else the table would show "-0".
        return String.format(Locale.ROOT, format, value + 0.0);
    }
}
