package dev.escapement.bench.stress.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.stress.trial.JvmDemand.JvmFacts;
import dev.escapement.bench.stress.trial.Outcome.Checked;
import dev.escapement.bench.stress.trial.Outcome.Verdict;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real JVMs: what they report is taken over, and what they do not is never held. */
@Timeout(120)
class JvmDemandTest {

    private static final long PATIENCE_NANOS = 60_000_000_000L;

    /** Demands the flags, and that the JVM has what it says. */
    private static JvmDemand flags(List<String> flags, boolean met) {
        return new JvmDemand("the flags " + flags, flags, false, facts -> met);
    }

    @Test
    void shouldTakeOverEverything() {
        TrialRun run = run("report", JvmDemand.ANY, PATIENCE_NANOS);
        Outcome outcome = run.outcome();
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
        assertThat(run.distributions().values())
                .singleElement()
                .satisfies(
                        taken -> assertThat(taken.histogram().getTotalCount()).isEqualTo(2));
        assertThat(run.timeLines()).containsOnlyKeys("height, m");
        assertThat(run.timeLines().values()).singleElement().satisfies(curve -> {
            assertThat(curve.x()).containsExactly(0.5, 1);
            assertThat(curve.y()).containsExactly(2, 3);
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
        Outcome outcome = run(what, JvmDemand.ANY, PATIENCE_NANOS).outcome();
        assertThat(outcome.verdict()).isEqualTo(Verdict.BROKEN);
        assertThat(outcome.reason()).contains(reason);
    }

    @Test
    void shouldBeBrokenWhenTheJvmHangs() {
        Outcome outcome = run("hang", JvmDemand.ANY, 100_000_000).outcome();
        assertThat(outcome.verdict()).as(outcome.reason()).isEqualTo(Verdict.BROKEN);
        assertThat(outcome.reason()).contains("did not end within", "was killed");
    }

    @Test
    void shouldBeSkippedWhenTheScenarioWas() {
        Outcome outcome = run("skip", JvmDemand.ANY, PATIENCE_NANOS).outcome();
        assertThat(outcome.verdict()).isEqualTo(Verdict.SKIPPED);
        assertThat(outcome.reason()).isEqualTo("not here");
    }

    @Test
    void shouldBeSkippedWhenThereIsNoSuchJvm() {
        Outcome outcome = run("report", flags(List.of("-XX:+UseNoCollector"), true), PATIENCE_NANOS)
                .outcome();
        assertThat(outcome.verdict()).isEqualTo(Verdict.SKIPPED);
        assertThat(outcome.reason())
                .contains("there is no JVM with the flags", "Unrecognized VM option 'UseNoCollector'");
    }

    @Test
    void shouldBeBrokenWhenTheJvmHasSomethingElse() {
        Outcome outcome = run("report", flags(List.of("-XX:+UseSerialGC"), false), PATIENCE_NANOS)
                .outcome();
        assertThat(outcome.verdict()).isEqualTo(Verdict.BROKEN);
        assertThat(outcome.reason()).contains("was to run with the flags", "MarkSweepCompact");
        assertThat(outcome.checkedInAll()).as("nothing it said counts").isZero();
    }

    @Test
    void shouldKnowCollectorsByTheirBeans() {
        JvmFacts serial = new JvmFacts(List.of("Copy", "MarkSweepCompact"), 2);
        JvmFacts g1 = new JvmFacts(List.of("G1 Young Generation", "G1 Old Generation"), 2);
        JvmFacts parallel = new JvmFacts(List.of("PS MarkSweep", "PS Scavenge"), 2);
        JvmFacts zgc = new JvmFacts(List.of("ZGC Minor Cycles", "ZGC Minor Pauses"), 2);
        Predicate<JvmFacts> isG1 = JvmDemand.collector("G1").isMet();
        Predicate<JvmFacts> isParallel = JvmDemand.collector("PARALLEL").isMet();
        Predicate<JvmFacts> isZgc = JvmDemand.collector("ZGC").isMet();
        for (Predicate<JvmFacts> collector : List.of(isG1, isParallel, isZgc)) {
            assertThat(collector).rejects(serial, new JvmFacts(List.of(), 2));
        }
        assertThat(isG1).accepts(g1).rejects(parallel, zgc);
        assertThat(isParallel).accepts(parallel);
        assertThat(isZgc).accepts(zgc);
        assertThat(JvmDemand.ONE_CORE.isMet()).rejects(g1).accepts(new JvmFacts(List.of("Copy"), 1));
    }

    private static TrialRun run(String what, JvmDemand demand, long patienceNanos) {
        Scenario elsewhere = TrialFixture.scenario("elsewhere");
        Scenario here = new Scenario(
                elsewhere.name(),
                elsewhere.says(),
                elsewhere.promises(),
                trial -> demand.run(TrialFixture.class, what, trial, patienceNanos));
        return TrialRun.of(here, 1, null);
    }
}
