package dev.escapement.bench.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.JsonKeys;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.state.wire.InterestSettings;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WireReportTest {

    private static final String KEYS = """
            interests
            playout
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
    void shouldWriteTheKnownKeysOfAShortRun() {
        Trace scene = JoltScene.fiedler901(Row.FIRST_TICK + 20);
        Row row = CodecRun.send(scene, Row.ACKNOWLEDGED, CodecRun.LOSS_PERCENT);
        WireReport report = new WireReport(List.of(row), List.of(), List.of());
        assertThat(JsonKeys.of(JsonFile.text(report))).isEqualTo(JsonKeys.listed(KEYS));
        assertThat(row.bodies()).isEqualTo(901);
        assertThat(row.hz()).isEqualTo(60);
        assertThat(row.bitsPerBodySnapshot()).isBetween(1.0, 10.0);
    }

    @ParameterizedTest
    @ValueSource(strings = {Row.ACKNOWLEDGED, Row.BROADCAST})
    void shouldMeasureTheCodecWithinItsBounds(String mode) {
        Row row = CodecRun.send(Trace.free(500, 200), mode, mode.equals(Row.BROADCAST) ? 0 : CodecRun.LOSS_PERCENT);
        assertThat(row.bitsPerBodySnapshot()).isBetween(5.0, 60.0);
        assertThat(row.bitsPerMovingBody()).isGreaterThanOrEqualTo(row.bitsPerBodySnapshot());
        assertThat(row.encodeNanosPerBody()).isPositive();
        assertThat(row.decodeNanosPerBody()).isPositive();
        assertThat(row.maxPositionErrorMetres()).isBetween(0.0005, 0.00101);
        assertThat(row.maxRotationErrorRadians()).isBetween(0.001, Trace.MAX_ROTATION_ERROR);
    }

    @Test
    void shouldMeasureClientsThatAreSentWhatIsNear() {
        Interests row = InterestRun.of(300, 2, new InterestSettings(30, 40, 40_000), 1);
        assertThat(row.corePercent()).isPositive();
        assertThat(row.kilobytesPerSecond()).isBetween(2.0, 12.0);
        assertThat(row.ageP999Millis()).isBetween(33.0, 140.0);
        WireReport report = new WireReport(List.of(), List.of(), List.of(row));
        assertThat(report.goals()).hasSize(3);
        assertThat(report.text()).contains("interests: kB/s a client");
    }

    @Test
    void shouldPushThePileSoThatNothingRests() {
        Trace pile = JoltScene.pile(100, 500);
        assertThat(pile.moved(499)).isGreaterThan(80);
    }

    @Test
    void shouldReachItsGoals() {
        WireReport report = made(3.2, 51);
        assertThat(report.isReached()).isTrue();
        assertThat(report.goals()).hasSize(2);
        assertThat(report.text()).contains("reached").doesNotContain("MISSED");
    }

    @ParameterizedTest
    @CsvSource({"3.4, 51", "3.2, 52"})
    void shouldMissAGoal(double acknowledged, double pile) {
        WireReport report = made(acknowledged, pile);
        assertThat(report.isReached()).isFalse();
        assertThat(report.text()).containsOnlyOnce("MISSED");
    }

    @Test
    void shouldAskNothingOfScenesThatDidNotRun() {
        WireReport report = new WireReport(List.of(row("free", Row.ACKNOWLEDGED, 20)), List.of(), List.of());
        assertThat(report.goals()).isEmpty();
        assertThat(report.isReached()).isTrue();
    }

    /** The bits of fiedler901 and of the pile. */
    private static WireReport made(double acknowledged, double pile) {
        List<Row> rows = List.of(
                row(JoltScene.FIEDLER, Row.ACKNOWLEDGED, acknowledged), row(JoltScene.PILE, Row.ACKNOWLEDGED, pile));
        return new WireReport(rows, List.of(), List.of());
    }

    private static Row row(String scene, String mode, double bits) {
        return new Row(scene, mode, 901, 60, 5, bits, 2 * bits, 200, 200, 0.001, 0.009);
    }
}
