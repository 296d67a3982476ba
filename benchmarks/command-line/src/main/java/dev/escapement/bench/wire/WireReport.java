package dev.escapement.bench.wire;

import static dev.escapement.bench.wire.Network.INTERNET;

import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.report.Table;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The metrics of scenes and viewers, named as the JSON file's keys, and their goals. */
record WireReport(List<Row> scenes, List<Playout> playout) {

    /** Receivers acknowledge what has arrived. */
    static final String ACKNOWLEDGED = "acknowledged";

    /** Receivers do not answer. */
    static final String BROADCAST = "broadcast";

    /** The metrics of a scene. Bits are payload of the packets, times medians from a snapshot to packets and back. */
    record Row(
            String name,
            String mode,
            int bodies,
            int hz,
            int lossPercent,
            double bitsPerBodySnapshot,
            double bitsPerMovingBody,
            double encodeNanosPerBody,
            double decodeNanosPerBody,
            double maxPositionErrorMetres,
            double maxRotationErrorRadians) {}

    /** The metrics of a viewer's picture of a world over a network. */
    record Playout(
            String mode,
            double quantile,
            double filledPercent,
            double flaggedPercent,
            Summary ageMicros,
            Summary errorMicros) {}

    private static final String LEGEND =
            String.format(Locale.ROOT, """
            bits: payload of the packets for each body and snapshot, from tick %d on; moving: the same for each body that Jolt does
            not let sleep. encode, decode: processor time, nanoseconds a body, medians, from a snapshot to packets and back. mm, mrad: the largest
            error of a coordinate or a rotation. Acknowledgements take %d ticks; a broadcast has none, and loses none.""", CodecRun.FIRST_TICK, CodecRun.ROUND_TRIP_TICKS);

    private static final String VIEWERS_LEGEND = """
            100 bodies, 100 Hz; 40 +- 20 ms, 5 % lost, 1 to 5 in a row; 144 frames a second, 60 s on virtual time. quantile: of delays, for which a viewer
            waits. filled: ticks that did not arrive in time. flagged: frames that show one of these, or its fading error; they do not count for the
            error. age: how long ago the shown moment was due at the server. error: animation error by the server's clock.""";

    private static final Table<Row> ROWS = new Table<Row>()
            .left("scene", Row::name)
            .left("mode", Row::mode)
            .right("bodies", row -> format("%,.0f", row.bodies()))
            .right("Hz", row -> format("%.0f", row.hz()))
            .right("lost", row -> format("%.0f %%", row.lossPercent()))
            .right("bits", row -> format("%.2f", row.bitsPerBodySnapshot()))
            .right("moving", row -> format("%.1f", row.bitsPerMovingBody()))
            .right("encode", row -> format("%.0f", row.encodeNanosPerBody()))
            .right("decode", row -> format("%.0f", row.decodeNanosPerBody()))
            .right("mm", row -> format("%.3f", row.maxPositionErrorMetres() * 1e3))
            .right("mrad", row -> format("%.2f", row.maxRotationErrorRadians() * 1e3));

    private static final Table<Playout> VIEWERS = new Table<Playout>()
            .left("viewers", Playout::mode)
            .right("quantile", row -> format("%.3f", row.quantile()))
            .right("filled", row -> format("%.2f %%", row.filledPercent()))
            .right("flagged", row -> format("%.1f %%", row.flaggedPercent()))
            .right("age", row -> Table.duration(row.ageMicros().mean()))
            .right("p99", row -> Table.duration(row.ageMicros().p99()))
            .right("error", row -> Table.duration(row.errorMicros().mean()))
            .right("p50", row -> Table.duration(row.errorMicros().p50()))
            .right("p99", row -> Table.duration(row.errorMicros().p99()));

    private static final Table<Goal> GOALS = new Table<Goal>()
            .left("goal", Goal::says)
            .right("at most", goal -> format("%.1f", goal.max()))
            .right("measured", goal -> format("%.2f", goal.measured()))
            .left("", goal -> goal.isReached() ? "reached" : "MISSED");

    /** Nine tenths of the 3.69 bits that Giesen's scheme needed with the same loss, measured by version 0.2.0. */
    private static final double MAX_BITS_ACKNOWLEDGED = 3.3;

    /** A fifteenth of the 96 bytes that a mod of a game sends for every body in every tick. */
    private static final double MAX_BITS_PILE = 96 * 8 / 15.0;

    /** The bound of a metric. */
    record Goal(String says, double max, double measured) {

        boolean isReached() {
            return measured <= max;
        }
    }

    /** The goals of the scenes and viewers that ran. */
    List<Goal> goals() {
        String mean = ": animation error, mean, us";
        String p99 = ": animation error, p99, us";
        String late = ": p99 of age, less the quantile of delay, ms";
        return Stream.of(
                        bits(JoltScene.FIEDLER, ACKNOWLEDGED, MAX_BITS_ACKNOWLEDGED),
                        bits(JoltScene.PILE, ACKNOWLEDGED, MAX_BITS_PILE),
                        worst(mean, 50, row -> row.errorMicros().mean()),
                        worst(p99, 200, row -> row.errorMicros().p99()),
                        worst(late, 25, row -> row.ageMicros().p99() / 1e3 - INTERNET.delayMillis(row.quantile())))
                .flatMap(Optional::stream)
                .toList();
    }

    /** None if the scene did not run. */
    private Optional<Goal> bits(String scene, String mode, double max) {
        return scenes.stream()
                .filter(row -> row.name().equals(scene) && row.mode().equals(mode))
                .map(row -> new Goal(scene + ": bits, " + mode, max, row.bitsPerBodySnapshot()))
                .findAny();
    }

    /** None if there were no viewers. */
    private Optional<Goal> worst(String says, double max, Function<Playout, Double> metric) {
        return playout.stream()
                .map(metric)
                .max(Double::compare)
                .map(measured -> new Goal(ACKNOWLEDGED + says, max, measured));
    }

    boolean isReached() {
        return goals().stream().allMatch(Goal::isReached);
    }

    String text() {
        return ROWS.text(scenes) + "\n" + LEGEND + "\n" + VIEWERS.text(playout) + "\n" + VIEWERS_LEGEND + "\n"
                + (goals().isEmpty() ? "" : GOALS.text(goals()));
    }

    private static String format(String format, double metric) {
        return String.format(Locale.ROOT, format, metric);
    }
}
