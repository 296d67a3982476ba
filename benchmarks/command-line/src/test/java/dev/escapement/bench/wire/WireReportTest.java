package dev.escapement.bench.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.JsonKeys;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.wire.Schemes.Row;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WireReportTest {

    private static final String KEYS = """
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
        WireReport report = new WireReport(Schemes.of(JoltScene.fiedler901(Row.FIRST_TICK + 20)), List.of());
        assertThat(JsonKeys.of(JsonFile.text(report))).isEqualTo(JsonKeys.listed(KEYS));
        assertThat(report.scenes())
                .extracting(row -> row.mode() + " " + row.lossPercent())
                .containsExactly(
                        "fiedler 0",
                        "giesen 0",
                        "giesen 5",
                        "acknowledged 5",
                        "broadcast 5",
                        "absolute 0",
                        "sable 0",
                        "velthoric 0");
        assertThat(report.scenes()).allMatch(row -> row.bodies() == 901 && row.hz() == 60);
        assertThat(report.page())
                .contains("<h1>What goes over the wire</h1>", "Encoding: nanoseconds a body", "velthoric");
    }

    @ParameterizedTest
    @ValueSource(strings = {Schemes.ACKNOWLEDGED, Schemes.BROADCAST})
    void shouldMeasureTheCodecWithinItsBounds(String mode) {
        Row row = CodecRun.send(Trace.free(500, 200), mode, 5);
        assertThat(row.bitsPerBodySnapshot()).isBetween(5.0, 60.0);
        assertThat(row.bitsPerMovingBody()).isGreaterThanOrEqualTo(row.bitsPerBodySnapshot());
        assertThat(row.encodeNanosPerBody()).isPositive();
        assertThat(row.decodeNanosPerBody()).isPositive();
        assertThat(row.maxPositionErrorMetres()).isBetween(0.0005, 0.00101);
        assertThat(row.maxRotationErrorRadians()).isBetween(0.001, Trace.MAX_ROTATION_ERROR);
    }

    @Test
    void shouldPushThePileSoThatNothingRests() {
        Trace pile = JoltScene.pile(100, 500);
        assertThat(pile.moved(499)).isGreaterThan(80);
    }

    @Test
    void shouldReachItsGoals() {
        WireReport report = made(4.7, 3.0, 3.6, 30);
        assertThat(report.isReached()).isTrue();
        assertThat(report.goals()).hasSize(5);
        assertThat(report.text()).contains("reached").doesNotContain("MISSED", "DOES NOT COUNT");
    }

    @Test
    void shouldNotCountWhereFiedlersSchemeNeedsAnotherAmount() {
        assertThat(made(4.1, 3.0, 3.6, 30).isReached()).isFalse();
        assertThat(made(5.3, 3.0, 3.6, 30).text()).contains("DOES NOT COUNT");
    }

    @Test
    void shouldMissItsGoals() {
        assertThat(made(4.7, 4.1, 4.6, 30).isReached()).as("more than 4 bits").isFalse();
        assertThat(made(4.7, 3.0, 3.3, 30).isReached())
                .as("more than 0.9 of Giesen's")
                .isFalse();
        assertThat(made(4.7, 3.0, 3.6, 52).text())
                .as("less than 15 times fewer than 96 bytes")
                .contains("MISSED");
        assertThat(made(4.7, 3.0, 3.6, 30, 4.0).isReached())
                .as("more than 0.6 of whole updates")
                .isFalse();
    }

    @Test
    void shouldAskNothingOfScenesThatDidNotRun() {
        WireReport report = new WireReport(List.of(row("free", "acknowledged", 5, 20)), List.of());
        assertThat(report.goals()).isEmpty();
        assertThat(report.isReached()).isTrue();
    }

    private static WireReport made(double fiedler, double acknowledged, double giesen, double pile) {
        return made(fiedler, acknowledged, giesen, pile, 3.9);
    }

    private static WireReport made(double fiedler, double acknowledged, double giesen, double pile, double broadcast) {
        List<Row> rows = List.of(
                row("fiedler901", "acknowledged", 5, acknowledged),
                row("fiedler901", "fiedler", 0, fiedler),
                row("fiedler901", "giesen", 0, 1),
                row("fiedler901", "broadcast", 5, broadcast),
                row("fiedler901", "absolute", 0, 6.6),
                row("fiedler901", "giesen", 5, giesen),
                row("pile", "acknowledged", 5, pile),
                row("pile", "sable", 0, 768));
        return new WireReport(rows, List.of());
    }

    private static Row row(String scene, String mode, int loss, double bits) {
        return new Row(scene, mode, 901, 60, loss, bits, 2 * bits, null, null, 0.001, 0.009);
    }
}
