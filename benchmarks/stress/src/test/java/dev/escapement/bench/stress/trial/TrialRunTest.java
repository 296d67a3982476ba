package dev.escapement.bench.stress.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.measure.GivenUpTicks;
import dev.escapement.bench.stress.trial.Outcome.Verdict;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Ticks of long ago, of which the witness of a run has seen nothing: the machine explains none of them. */
class TrialRunTest {

    private static final long PERIOD_NANOS = 10_000_000;

    /** A tick that leads to four that are given up: it is late, or slow. */
    static void giveUpFour(Trial trial, long startedLateNanos, long stepNanos) {
        GivenUpTicks ticks = trial.givenUpTicks(PERIOD_NANOS);
        long dueNanos = System.nanoTime() - 3_600_000_000_000L;
        long startedNanos = dueNanos + startedLateNanos;
        ticks.ticked(dueNanos, startedNanos, startedNanos + stepNanos);
        long nextNanos = dueNanos + 5 * PERIOD_NANOS;
        ticks.ticked(nextNanos, nextNanos, nextNanos + 1);
    }

    private static Outcome run(Promise promise, long startedLateNanos, long stepNanos) {
        Scenario scenario = new Scenario("late", "a tick is late", Set.of(promise), trial -> {
            trial.check(promise).held(1);
            giveUpFour(trial, startedLateNanos, stepNanos);
        });
        return TrialRun.of(scenario, 1, null).outcome();
    }

    @Test
    void shouldShowTicksGivenUpForAnUnknownReasonAndBlameNobody() {
        Outcome outcome = run(Promise.TICKS_GO_ON, 4 * PERIOD_NANOS, 1);
        assertThat(outcome.givenUpTicks()).isEqualTo(4);
        assertThat(outcome.slowGivenUpTicks()).isZero();
        assertThat(outcome.unexplainedGivenUpTicks()).isEqualTo(4);
        assertThat(outcome.verdict()).isEqualTo(Verdict.HELD);
        assertThat(Outcome.machineVerdict(List.of(outcome))).contains("4 ticks given up: 4 for an unknown reason");
    }

    @Test
    void shouldNotCountTicksGivenUpByASlowStep() {
        Outcome outcome = run(Promise.TICKS_GO_ON, 0, 4 * PERIOD_NANOS);
        assertThat(outcome.slowGivenUpTicks()).isEqualTo(4);
        assertThat(outcome.unexplainedGivenUpTicks()).isZero();
        assertThat(outcome.verdict()).isEqualTo(Verdict.HELD);
    }
}
