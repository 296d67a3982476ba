package dev.escapement.bench.wire;

import dev.escapement.bench.measure.Series;
import dev.escapement.bench.report.HtmlPage;
import dev.escapement.bench.report.Plot;
import dev.escapement.bench.report.Plot.Colour;
import dev.escapement.bench.report.Plot.Curve;
import dev.escapement.bench.report.Plot.Style;
import dev.escapement.bench.report.Table;
import dev.escapement.bench.report.Table.Cell;
import dev.escapement.bench.wire.Schemes.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The figures of all scenes and schemes, and of all viewers, and what is asked of them. */
record WireReport(List<Row> scenes, List<Playout> playout) {

    private static final String LEGEND = String.format(
            Locale.ROOT,
            """
            bits: payload of the packets for each body and snapshot, from tick %d on; moving: the same for each body that moved by 2 mm or a step of
            9 bits. encode, decode: processor time, nanoseconds a body, medians, from a snapshot to packets and back. mm, mrad: the most that a
            coordinate or a rotation was off; of what is only counted, can be. Acknowledgements take %d ticks; a broadcast has none. In %s the player draws cubes
            in %.0f %% of its time, such that Fiedler's scheme needs about what it needed on his recording.""",
            Row.FIRST_TICK,
            CodecRun.ROUND_TRIP_TICKS,
            JoltScene.FIEDLER,
            100 * JoltScene.Fiedler901.ATTRACTING);

    private static final Table<Row> ROWS = new Table<Row>()
            .left("scene", Row::name)
            .leftCells("scheme", row -> Cell.marked(row.mode(), row.encodeNanosPerBody() == null ? "" : "own"))
            .right("bodies", row -> format("%,.0f", (double) row.bodies()))
            .right("Hz", row -> format("%.0f", (double) row.hz()))
            .right("lost", row -> format("%.0f %%", (double) row.lossPercent()))
            .right("bits", row -> format("%.2f", row.bitsPerBodySnapshot()))
            .right("moving", row -> format("%.1f", row.bitsPerMovingBody()))
            .right("encode", row -> format("%.0f", row.encodeNanosPerBody()))
            .right("decode", row -> format("%.0f", row.decodeNanosPerBody()))
            .right("mm", row -> format("%.3f", scaled(row.maxPositionErrorMetres())))
            .right("mrad", row -> format("%.2f", scaled(row.maxRotationErrorRadians())));

    private static final Table<Goal> GOALS = new Table<Goal>()
            .left("goal", Goal::says)
            .right("at least", goal -> format("%.1f", goal.least()))
            .right("at most", goal -> format("%.1f", goal.most()))
            .right("measured", goal -> format("%.2f", goal.measured()))
            .leftCells("", goal -> Cell.marked(goal.says(goal.isReached()), goal.isReached() ? "good" : "bad"));

    /** What is asked of a figure: limits, where there are any. */
    record Goal(
            String says, @Nullable Double least, @Nullable Double most, double measured) {

        boolean isReached() {
            return (least == null || measured >= least) && (most == null || measured <= most);
        }

        private String says(boolean reached) {
            return reached ? "reached" : least != null && most != null ? "DOES NOT COUNT" : "MISSED";
        }
    }

    /** What is asked of the scenes that ran. */
    List<Goal> goals() {
        double fiedler = bits(JoltScene.FIEDLER, Schemes.FIEDLER);
        double own = bits(JoltScene.FIEDLER, Schemes.ACKNOWLEDGED);
        double broadcast = bits(JoltScene.FIEDLER, Schemes.BROADCAST) / bits(JoltScene.FIEDLER, Schemes.ABSOLUTE);
        double giesen = bits(JoltScene.FIEDLER, Schemes.GIESEN);
        double times = bits(JoltScene.PILE, Schemes.SABLE) / bits(JoltScene.PILE, Schemes.ACKNOWLEDGED);
        Stream<Goal> ofScenes = Stream.of(
                new Goal("fiedler901 counts: bits, fiedler", 4.2, 5.2, fiedler),
                new Goal("fiedler901: bits, acknowledged", null, 4.0, own),
                new Goal("fiedler901: acknowledged / giesen, with the same loss", null, 0.9, own / giesen),
                new Goal("fiedler901: broadcast / absolute, refresh included", null, 0.6, broadcast),
                new Goal("pile: sable / acknowledged", 15.0, null, times));
        return Stream.concat(ofScenes, Playout.goals(playout).stream())
                .filter(goal -> !Double.isNaN(goal.measured()))
                .toList();
    }

    /** What a scheme needs for a scene, with loss if it ran with some; NaN if it did not run. */
    private double bits(String scene, String scheme) {
        return scenes.stream()
                .filter(row -> row.is(scene, scheme))
                .mapToDouble(Row::bitsPerBodySnapshot)
                .reduce(Double.NaN, (first, second) -> second);
    }

    boolean isReached() {
        return goals().stream().allMatch(Goal::isReached);
    }

    String text() {
        return ROWS.text(scenes) + "\n" + LEGEND + "\n" + Playout.ROWS.text(playout) + "\n" + Playout.LEGEND + "\n"
                + (goals().isEmpty() ? "" : GOALS.text(goals()));
    }

    String page() {
        Predicate<Row> sparing = row -> row.bitsPerBodySnapshot() < Schemes.ABSOLUTE_BITS;
        Predicate<Row> measured = row -> row.encodeNanosPerBody() != null;
        List<Plot> plots = List.of(
                plot(
                        "fiedler901: bits a body and snapshot",
                        "Formats that send every body need 768 and 456.",
                        sparing.and(of(JoltScene.FIEDLER)),
                        Row::bitsPerBodySnapshot),
                plot(
                        "pile: bits a body and snapshot",
                        "Everything moves.",
                        of(JoltScene.PILE),
                        Row::bitsPerBodySnapshot),
                plot("Encoding: nanoseconds a body", "From a snapshot to packets.", measured, Row::encodeNanosPerBody),
                plot("Decoding: nanoseconds a body", "From packets to a snapshot.", measured, Row::decodeNanosPerBody));
        Map<String, Object> values = new HashMap<>(Map.of("title", "wire", "legend", LEGEND, "plots", plots));
        values.put("rows", ROWS.forPage(scenes));
        values.put("playout", Playout.forPage(playout));
        values.put("goals", GOALS.forPage(goals()));
        return HtmlPage.fill(WireReport.class, "wire.html", values);
    }

    private Plot plot(String title, String caption, Predicate<Row> which, Function<Row, @Nullable Double> figure) {
        List<String> names = new ArrayList<>();
        Series points = new Series(scenes.size());
        for (Row row : scenes) {
            if (which.test(row)) {
                points.add(points.size(), figure.apply(row));
                names.add(row.name() + ", " + row.mode() + ", " + row.lossPercent() + " % lost");
            }
        }
        return Plot.bars(title, title, caption, names, List.of(new Curve(title, points, Style.BARS, Colour.TEAL)));
    }

    private static Predicate<Row> of(String scene) {
        return row -> row.name().equals(scene);
    }

    private static @Nullable Double scaled(@Nullable Double error) {
        return error == null ? null : error * 1e3;
    }

    static String format(String format, @Nullable Double figure) {
        return figure == null ? "-" : String.format(Locale.ROOT, format, figure);
    }
}
