package dev.escapement.bench.pacing;

import static dev.escapement.bench.pacing.Contestant.CYCLICTEST;
import static dev.escapement.bench.pacing.Contestant.ESCAPEMENT;
import static dev.escapement.bench.pacing.Contestant.PARK_NANOS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.bench.measure.GivenUpTicks.Reasons;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoundsTest {

    private final Rounds rounds = new Rounds(new EnumMap<>(Contestant.class), Reasons.NONE, 0);

    private void add(Contestant contestant, Lateness lateness) {
        rounds.byContestant()
                .computeIfAbsent(contestant, key -> new ArrayList<>())
                .add(lateness);
    }

    @Test
    void shouldGiveTheMedianOfEachFigureByItself() {
        add(ESCAPEMENT, new Lateness(80, 1, 30, 500, 1.5, 0));
        add(ESCAPEMENT, new Lateness(80, 2, 10, 400, 0.5, 8));
        add(ESCAPEMENT, new Lateness(80, 9, 20, 600, 1.0, 4));

        assertThat(rounds.median(ESCAPEMENT, Lateness::medianMicros)).isEqualTo(2);
        assertThat(rounds.median(ESCAPEMENT, Lateness::p99Micros)).isEqualTo(20);
        assertThat(rounds.median(ESCAPEMENT, Lateness::maxMicros)).isEqualTo(500);
        assertThat(rounds.median(ESCAPEMENT, Lateness::corePercent)).isEqualTo(1);
        assertThat(rounds.median(ESCAPEMENT, Lateness::bytesPerTick)).isEqualTo(4);
    }

    @Test
    void shouldCompareWithinARoundAndNotBetweenRounds() {
        add(ESCAPEMENT, lateness(1));
        add(PARK_NANOS, lateness(10));
        add(ESCAPEMENT, lateness(40));
        add(PARK_NANOS, lateness(100));
        add(ESCAPEMENT, lateness(20));
        add(PARK_NANOS, lateness(200));

        assertThat(rounds.ratio(ESCAPEMENT, PARK_NANOS))
                .as("of 0.1, 0.4 and 0.1")
                .isEqualTo(0.1);
    }

    @Test
    void shouldShowWhatIsKnownInTheTable() {
        add(PARK_NANOS, new Lateness(80, 190.04, 259, 1300, 0.25, 0));
        add(CYCLICTEST, new Lateness(100, 95.02, 110, 120, Double.NaN, Double.NaN));

        List<String> lines = rounds.table("idle").lines().toList();
        assertThat(lines)
                .anySatisfy(line -> assertThat(line.split("[|\\s]+"))
                        .containsExactly("", "park_nanos", "190.0", "259.0", "1,300.0", "1.0000", "0.25", "%", "0.0"));
        assertThat(lines)
                .anySatisfy(line -> assertThat(line.split("[|\\s]+"))
                        .containsExactly("", "cyclictest", "95.0", "110.0", "120.0", "0.5000", "-", "-"));
    }

    @Test
    void shouldRefuseAMeasurementOfNothing() {
        assertThatIllegalStateException()
                .isThrownBy(() -> new Lateness(0, 0, 0, 0, 0, 0))
                .withMessage("no tick was measured, which shows nothing");
    }

    @Test
    void shouldLetEveryContestantBeginInTurn() {
        List<Contestant> contestants = List.of(ESCAPEMENT, PARK_NANOS, CYCLICTEST);
        assertThat(Rounds.order(contestants, 0)).containsExactly(ESCAPEMENT, PARK_NANOS, CYCLICTEST);
        assertThat(Rounds.order(contestants, 1)).containsExactly(PARK_NANOS, CYCLICTEST, ESCAPEMENT);
        assertThat(Rounds.order(contestants, 5)).containsExactly(CYCLICTEST, ESCAPEMENT, PARK_NANOS);
    }

    private static Lateness lateness(double medianMicros) {
        return new Lateness(80, medianMicros, 0, 0, 0, 0);
    }
}
