package dev.escapement.bench.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.bench.JsonKeys;
import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.wire.WireReport.Goal;
import dev.escapement.bench.wire.WireReport.Playout;
import dev.escapement.bench.wire.WireReport.Row;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WireReportTest {

    private static final int SECONDS = 3;

    private static final String KEYS = """
            playout
            playout[].ageMicros: Summary
            playout[].errorMicros: Summary
            playout[].filledPercent
            playout[].flaggedPercent
            playout[].mode
            playout[].quantile
            scenes
            scenes[].bitsPerBodySnapshot
            scenes[].bitsPerMovingBody
            scenes[].bodies
            scenes[].decodeNanosPerBody
            scenes[].encodeNanosPerBody
            scenes[].hz
            scenes[].lossPercent
            scenes[].maxPositionErrorMetres
            scenes[].maxRotationErrorRadians
            scenes[].mode
            scenes[].name""";

    @Test
    void shouldMeasureAShortRunOfThePublishedScene() {
        Row row = CodecRun.send(
                new JoltScene.Fiedler901(), CodecRun.FIRST_TICK + 20, WireReport.ACKNOWLEDGED, CodecRun.LOSS_PERCENT);
        assertThat(row.bodies()).isEqualTo(901);
        assertThat(row.hz()).isEqualTo(60);
        assertThat(row.bitsPerBodySnapshot()).isBetween(1.0, 10.0);
    }

    @ParameterizedTest
    @ValueSource(strings = {WireReport.ACKNOWLEDGED, WireReport.BROADCAST})
    void shouldMeasureTheCodecWithinItsBounds(String mode) {
        int lossPercent = mode.equals(WireReport.BROADCAST) ? 0 : CodecRun.LOSS_PERCENT;
        Row row = CodecRun.send(JoltScene.pile(200), 200, mode, lossPercent);
        assertThat(row.bitsPerBodySnapshot()).isBetween(5.0, 60.0);
        assertThat(row.bitsPerMovingBody() / row.bitsPerBodySnapshot())
                .as("pushed so that nothing rests")
                .isBetween(0.999, 1.1);
        assertThat(row.encodeNanosPerBody()).isPositive();
        assertThat(row.decodeNanosPerBody()).isPositive();
        assertThat(row.maxPositionErrorMetres()).isBetween(0.0005, 0.00101);
        assertThat(row.maxRotationErrorRadians()).isBetween(0.001, CodecRun.MAX_ROTATION_ERROR);
    }

    @Test
    void shouldShowAllAsOldAsTheWayIsLongWhereNothingIsLost() {
        Playout near = PlayoutRun.of(new Network(30, 0, 0), SECONDS, 0.99).get(0);
        Playout far = PlayoutRun.of(new Network(60, 0, 0), SECONDS, 0.99).get(0);
        assertThat(near.filledPercent()).isZero();
        assertThat(near.flaggedPercent()).isZero();
        assertThat(near.errorMicros().p99()).isPositive().isLessThan(25); // its clock follows that of the server
        assertThat(near.ageMicros().mean()).isBetween(40_000.0, 45_000.0);
        assertThat(far.ageMicros().mean() - near.ageMicros().mean()).isCloseTo(30_000, within(200.0));
    }

    @Test
    void shouldCountWhatIsNotWaitedForAndWhatIsLost() {
        List<Playout> rows = PlayoutRun.of(Network.INTERNET, SECONDS, 0.5, 0.999);
        assertThat(rows.get(0).filledPercent()).isBetween(40.0, 60.0);
        assertThat(rows.get(1).filledPercent()).isBetween(1.0, 12.0);
        assertThat(rows).allMatch(row -> row.flaggedPercent() > row.filledPercent());
        assertThat(rows.get(1).ageMicros().mean())
                .isGreaterThan(rows.get(0).ageMicros().p50() + 10_000);
    }

    /** A stopped viewer does not affect others. It shows the present within a second of its return. */
    @Test
    void shouldLetNobodyNoticeThatAnotherIsStopped() {
        PlayoutRun run = new PlayoutRun(Network.INTERNET, 0.99, 0.99);
        PlayoutRun.Viewer stopped = run.viewers.get(0);
        PlayoutRun.Viewer other = run.viewers.get(1);
        other.startCounting();
        stopped.stopFor(SECONDS * 1_000_000_000L);
        run.runFor(SECONDS);
        assertThat(other.playout().ageMicros().p99()).isLessThan(85_000);
        run.runFor(1);
        stopped.startCounting();
        run.runFor(1);
        assertThat(stopped.playout().ageMicros().max()).isLessThan(1_000_000);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            3.2 | 51 | 2  | 18  | 74 | -
            3.4 | 51 | 2  | 18  | 74 | fiedler901: bits, acknowledged
            3.2 | 52 | 2  | 18  | 74 | pile: bits, acknowledged
            3.2 | 51 | 60 | 18  | 74 | acknowledged: animation error, mean, us
            3.2 | 51 | 2  | 210 | 74 | acknowledged: animation error, p99, us
            3.2 | 51 | 2  | 18  | 90 | acknowledged: p99 of age, less the quantile of delay, ms
            """)
    void shouldReachItsGoalsOrSayWhichIsMissed(
            double acknowledged, double pile, double error, double errorP99, double ageP99Millis, String missed) {
        List<Row> rows = List.of(
                row(JoltScene.FIEDLER, WireReport.ACKNOWLEDGED, acknowledged),
                row(JoltScene.PILE, WireReport.ACKNOWLEDGED, pile));
        Summary errors = new Summary(error, 1, errorP99, 220, 230);
        WireReport report = new WireReport(rows, List.of(playout(75_000, errors), playout(1e3 * ageP99Millis, errors)));
        assertThat(report.goals()).hasSize(5);
        assertThat(report.goals())
                .filteredOn(goal -> !goal.isReached())
                .extracting(Goal::says)
                .isEqualTo(missed == null ? List.of() : List.of(missed));
        assertThat(report.isReached()).isEqualTo(missed == null);
        assertThat(report.text().contains("MISSED")).isEqualTo(missed != null);
        assertThat(JsonKeys.of(JsonFile.text(report))).isEqualTo(JsonKeys.listed(KEYS));
    }

    private static Row row(String scene, String mode, double bits) {
        return new Row(scene, mode, 901, 60, 5, bits, 2 * bits, 200, 200, 0.001, 0.009);
    }

    private static Playout playout(double ageP99Micros, Summary errors) {
        Summary age = new Summary(70_000, 70_000, ageP99Micros, 95_000, 99_000);
        return new Playout(WireReport.ACKNOWLEDGED, 0.99, 5, 10, age, errors);
    }
}
