package dev.escapement.bench.stress.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.stress.trial.Outcome.Checked;
import dev.escapement.bench.stress.trial.Outcome.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real JVMs: what they report is taken over, and what they do not is never held. */
@Timeout(120)
class JvmDemandTest {

    private static final long PATIENCE_NANOS = 60_000_000_000L;

    @Test
    void shouldTakeOverEverything() {
        Outcome outcome = run("report", JvmDemand.ANY, PATIENCE_NANOS);
        assertThat(outcome.reason()).isEmpty();
        assertThat(outcome.verdict()).isEqualTo(Verdict.BROKEN);
        assertThat(outcome.checks())
                .containsExactly(
                        new Checked(Promise.WHOLE, Promise.WHOLE.says(), 42, 1, "half of it"),
                        new Checked(Promise.FRESH, Promise.FRESH.says(), 7, 0, ""));
        assertThat(outcome.figures()).containsExactly(Figure.graded("weight", 3, "kg", 1, 2, "eat less"));
        assertThat(outcome.unexplainedGivenUpTicks()).as("the JVM's own").isEqualTo(4);
        assertThat(outcome.givenUpTicks()).isEqualTo(4);
        assertThat(outcome.distributions()).singleElement().satisfies(measured -> {
            assertThat(measured.name()).isEqualTo("tick lateness");
            assertThat(measured.micros().p50()).isBetween(999.0, 1001.0);
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            die           | ended with exit code 1
            die           | IllegalStateException: out of luck
            say-nothing   | wrote no report
            write-rubbish | wrote no report
            leave-out     | wrote no report
            throw         | bodies overlap
            """)
    void shouldBeBrokenWithTheReason(String what, String reason) {
        Outcome outcome = run(what, JvmDemand.ANY, PATIENCE_NANOS);
        assertThat(outcome.verdict()).isEqualTo(Verdict.BROKEN);
        assertThat(outcome.reason()).contains(reason);
    }

    @Test
    void shouldBeBrokenWhenTheJvmHangs() {
        Outcome outcome = run("hang", JvmDemand.ANY, 100_000_000);
        assertThat(outcome.verdict()).as(outcome.reason()).isEqualTo(Verdict.BROKEN);
        assertThat(outcome.reason()).contains("did not end within", "was killed");
    }

    @Test
    void shouldBeSkippedWhenTheScenarioWas() {
        Outcome outcome = run("skip", JvmDemand.ANY, PATIENCE_NANOS);
        assertThat(outcome.verdict()).isEqualTo(Verdict.SKIPPED);
        assertThat(outcome.reason()).isEqualTo("not here");
    }

    @Test
    void shouldBeSkippedWhenThereIsNoSuchJvm() {
        JvmDemand demand = new JvmDemand("another collector", List.of("-XX:+UseNoCollector"), false);
        Outcome outcome = run("report", demand, PATIENCE_NANOS);
        assertThat(outcome.verdict()).isEqualTo(Verdict.SKIPPED);
        assertThat(outcome.reason())
                .contains("there is no JVM with another collector", "Unrecognized VM option 'UseNoCollector'");
    }

    private static Outcome run(String what, JvmDemand demand, long patienceNanos) {
        Scenario elsewhere = TrialFixture.scenario("elsewhere");
        Scenario here = new Scenario(
                elsewhere.name(),
                elsewhere.says(),
                elsewhere.promises(),
                trial -> demand.run(TrialFixture.class, what, trial, patienceNanos));
        return TrialRun.of(here, 1, null).outcome();
    }
}
