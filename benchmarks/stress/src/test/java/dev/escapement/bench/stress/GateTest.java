package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.bench.stress.Calibration.Yardstick;
import dev.escapement.bench.stress.MadeScenario.End;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.TrialRun;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Known figures, known machines. */
class GateTest {

    private static final double CLOSE = 0.01;

    @Test
    void shouldTakeTheMedianOfTheRatiosOfAllRounds() {
        Gate gate = new Gate(List.of(limit("tick lateness max", Yardstick.WAKE_UP, 2)));
        round(gate, new Calibration(50, 1, 1), 100);
        round(gate, new Calibration(500, 1, 1), 500); // a slower machine, for a while
        round(gate, new Calibration(50, 1, 1), 5000); // something else ran
        assertThat(gate.verdicts()).singleElement().satisfies(verdict -> {
            assertThat(verdict.ratio()).isCloseTo(2, within(CLOSE));
            assertThat(verdict.rounds()).isEqualTo(3);
        });
    }

    @Test
    void shouldDivideByTheYardstickOfEachLimit() {
        Gate gate = new Gate(List.of(
                limit("tick lateness p99", Yardstick.WAKE_UP, 1),
                limit("tick lateness p99", Yardstick.COPY, 1),
                limit("tick lateness p99", Yardstick.GET_AND_SET, 1),
                limit("tick lateness p99", Yardstick.NONE, 1)));
        round(gate, new Calibration(10, 20, 0.005), 100);
        assertThat(gate.verdicts().stream().map(Gate.Verdict::ratio))
                .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-3 * b ? 0 : Double.compare(a, b))
                .containsExactly(9.9, 4.95, 19_800.0, 99.0);
    }

    @Test
    void shouldFailAboveTheLimitOnly() {
        Gate gate = new Gate(List.of(limit("time factor", Yardstick.NONE, 1), limit("gap", Yardstick.NONE, 99)));
        round(gate, new Calibration(1, 1, 1), 100);
        assertThat(gate.isPassed()).isFalse();
        assertThat(gate.toString())
                .containsPattern("time factor +\\| none +\\| +1 \\| +1\\.0000 \\| +1\\.0000 \\| within")
                .containsPattern("gap +\\| none +\\| +1 \\| +100 \\| +99\\.0000 \\| ABOVE")
                .contains("GATE: 1 of 2 figures are not within their limits.");
    }

    @Test
    void shouldFailWhatWasNotMeasured() {
        Gate gate = new Gate(List.of(limit("publish delay p50", Yardstick.NONE, 1e9)));
        round(gate, new Calibration(1, 1, 1), 100);
        assertThat(gate.isPassed()).isFalse();
        assertThat(gate.toString()).contains("NOT MEASURED");
    }

    @Test
    void shouldNotTakeAFigureOfAnotherScenario() {
        Gate gate = new Gate(List.of(limit("gap", Yardstick.NONE, 1e9)));
        gate.begin(new Calibration(1, 1, 1));
        gate.add(outcome("other", 5));
        assertThat(gate.isPassed()).isFalse();
    }

    @Test
    void shouldMeasureTheMachine() {
        Calibration machine = Calibration.measure();
        assertThat(machine.wakeUpMicros()).isPositive();
        assertThat(machine.copyMicros()).isPositive();
        assertThat(machine.getAndSetMicros()).isPositive().isLessThan(machine.copyMicros());
    }

    private static Limit limit(String figure, Yardstick per, double atMost) {
        return new Limit("made", figure, per, atMost);
    }

    private static void round(Gate gate, Calibration machine, double micros) {
        gate.begin(machine);
        gate.add(outcome("made", micros));
    }

    private static Outcome outcome(String name, double micros) {
        return TrialRun.of(MadeScenario.of(name, End.HOLDS, micros), 1, null).outcome();
    }
}
