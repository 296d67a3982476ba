package dev.escapement.bench.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.bench.JsonKeys;
import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.wire.Playout.Network;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlayoutTest {

    private static final int SECONDS = 3;

    @Test
    void shouldShowAllAsOldAsTheWayIsLongWhereNothingIsLost() {
        Playout near = PlayoutRun.of(new Network(30, 0, 0), SECONDS, 0.99).get(0);
        Playout far = PlayoutRun.of(new Network(60, 0, 0), SECONDS, 0.99).get(0);
        assertThat(near.filledPercent()).isZero();
        assertThat(near.flaggedPercent()).isZero();
        assertThat(near.errorMicros().p99()).isPositive().isLessThan(25); // its clock is led to that of the server
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

    @Test
    void shouldTellWhoWasStoppedFromTheOthers() {
        List<Playout> rows = PlayoutRun.oneStops(1);
        assertThat(rows)
                .extracting(Playout::mode)
                .containsExactly(
                        "7 others, before", Playout.CALM, Playout.MEANWHILE, "7 others, after", Playout.STOPPED);
        assertThat(rows.get(4).wholeMillis()).isBetween(60.0, 1000.0);
        assertThat(rows.get(4).ageMicros().p99())
                .as("its first frame shows what was there before it stopped")
                .isGreaterThan(2_900_000);
        assertThat(rows.subList(0, 4))
                .allMatch(row -> row.wholeMillis() == null && row.ageMicros().p99() < 85_000);
    }

    @Test
    void shouldReachItsGoals() {
        WireReport report = new WireReport(List.of(), rows("none"), List.of());
        assertThat(report.goals()).hasSize(7);
        assertThat(report.isReached()).as(report.text()).isTrue();
        assertThat(JsonKeys.of(JsonFile.text(report)))
                .contains("playout[].filledPercent", "playout[].ageMicros.p99", "playout[].wholeMillis");
    }

    @ParameterizedTest
    @CsvSource({
        "acknowledged, acknowledged: animation error, acknowledged: p99 of age",
        "'7 others, one stopped', more filled, more age",
        "'the stopped one, after', whole after, whole after"
    })
    void shouldMissWhatOneOfThemMisses(String worse, String says, String saysToo) {
        WireReport report = new WireReport(List.of(), rows(worse), List.of());
        assertThat(report.isReached()).isFalse();
        assertThat(report.goals())
                .filteredOn(goal -> !goal.isReached())
                .extracting(WireReport.Goal::says)
                .anyMatch(goal -> goal.contains(says))
                .anyMatch(goal -> goal.contains(saysToo));
        assertThat(report.text()).contains("MISSED");
    }

    /** Rows that reach all, but those of one mode. */
    private static List<Playout> rows(String worse) {
        return Stream.of(Row.ACKNOWLEDGED, Playout.CALM, Playout.MEANWHILE, Playout.STOPPED)
                .map(mode -> {
                    double times = mode.equals(worse) ? 40 : 1;
                    Summary age = new Summary(70_000 * times, 70_000, 75_000 * times, 80_000, 90_000);
                    Summary error = new Summary(2 * times, 1, 18 * times, 20, 30);
                    Double whole = mode.equals(Playout.STOPPED) ? 300 * times : null;
                    return new Playout(mode, 0.99, 5 * times, 10, age, error, whole);
                })
                .toList();
    }
}
