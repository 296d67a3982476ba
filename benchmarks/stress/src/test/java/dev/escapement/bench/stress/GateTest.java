package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Known figures, known machines. */
class GateTest {

    @Test
    void shouldTakeTheMedianOfTheRatiosOfAllRounds() {
        Gate gate = new Gate(Map.of("tick lateness", 1.0));
        round(gate, 50, 100);
        round(gate, 500, 500); // a slower machine, for a while
        round(gate, 50, 5000); // something else ran
        assertThat(gate.verdicts()).singleElement().satisfies(verdict -> {
            assertThat(verdict.ratio()).isCloseTo(1, within(0.01));
            assertThat(verdict.rounds()).isEqualTo(3);
        });
    }

    @Test
    void shouldFailAboveTheLimitOnly() {
        assertThat(gate(0.49).isPassed()).isFalse();
        assertThat(gate(0.49).toString()).contains("| ABOVE").contains("GATE: 1 of 1 figures are not within");
        assertThat(gate(0.52).isPassed()).isTrue();
        assertThat(gate(0.52).toString()).contains("| within").contains("Gate: every figure is within its limit.");
    }

    @Test
    void shouldFailWhatWasNotMeasured() {
        Gate gate = new Gate(Map.of("publish delay", 1e9));
        round(gate, 1, 1);
        assertThat(gate.isPassed()).isFalse();
        assertThat(gate.toString()).contains("null").contains("NOT MEASURED");
    }

    private static Gate gate(double limit) {
        Gate gate = new Gate(Map.of("tick lateness", limit));
        round(gate, 100, 100); // the median is half of the longest
        return gate;
    }

    private static void round(Gate gate, double wakeUpMicros, double longestMicros) {
        gate.add(wakeUpMicros, MadeScenario.outcome("idle", true, longestMicros));
    }
}
