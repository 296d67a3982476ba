package dev.escapement.bench.stress.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.bench.stress.trial.Figure.Grade;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Outcome.Verdict;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.TrialRun;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every scenario for a moment, on real threads: promises hold on any machine, however slow; and each planted fault is found. */
class ScenariosTest {

    private static final long LENGTH_NANOS = 300_000_000;

    static Stream<Scenario> scenarios() {
        return Scenarios.all().stream();
    }

    /** Of those that run in a child JVM, which takes a second to start, one each: what is planted there is planted by the same code. */
    static Stream<Arguments> canaries() {
        return scenarios()
                .flatMap(scenario -> scenario.promises().stream()
                        .limit(scenario.body() instanceof ChildScenario ? 1 : Long.MAX_VALUE)
                        .map(promise -> Arguments.of(scenario, promise)));
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void shouldKeepEveryPromise(Scenario scenario) {
        Outcome outcome = TrialRun.of(scenario, LENGTH_NANOS, null).outcome();
        assertThat(outcome.verdict()).as(outcome.toString()).isNotEqualTo(Verdict.BROKEN);
        if (outcome.verdict() == Verdict.SKIPPED) {
            assertThat(outcome.reason()).isNotBlank();
        }
        assertThat(outcome.figures())
                .filteredOn(figure -> figure.name().equals("tick lateness p99"))
                .as("what a scenario does is no fault of the machine")
                .allMatch(figure -> (figure.grade() == Grade.INFO) == scenario.delaysTicks());
    }

    @ParameterizedTest
    @MethodSource("canaries")
    void shouldFindEachPlantedFault(Scenario scenario, Promise promise) {
        Outcome outcome = TrialRun.of(scenario, LENGTH_NANOS, promise).outcome();
        if (outcome.verdict() != Verdict.SKIPPED) {
            assertThat(outcome.foundBroken(promise)).as(outcome.toString()).isTrue();
        }
    }

    /** Both are seen by the tick that a reader is given: each has a check of its own. */
    @ParameterizedTest
    @EnumSource(names = {"FORWARDS", "FRESH"})
    void shouldBreakNothingButWhatIsPlanted(Promise promise) {
        Outcome outcome = TrialRun.of(Scenarios.named(List.of("idle")).get(0), LENGTH_NANOS, promise)
                .outcome();
        assertThat(outcome.checks())
                .filteredOn(check -> check.broken() > 0)
                .extracting(Outcome.Checked::promise)
                .containsExactly(promise);
    }

    /** None may get lost: the checks of every scenario, each of which {@code stress --canary} plants. "readers" are the first five. */
    private static final String CHECKS = """
            idle: readers accounted
            renderer-stalls: readers accounted ticks-go-on
            reader-never-lets-go: readers accounted ticks-go-on
            readers-come-and-go: readers accounted
            churn: readers never-reused accounted
            teleports: readers accounted never-on-the-way moves-on
            nan-bursts: readers accounted quarantined finite
            pile-1000: whole consecutive forwards fresh plausible accounted
            pile-10000: whole consecutive forwards fresh plausible accounted
            overload-skip: readers accounted numbered never-early due-by-policy given-up-by-policy
            overload-burst: readers accounted numbered never-early due-by-policy given-up-by-policy
            overload-delay: readers numbered never-early due-by-policy given-up-by-policy
            overload-run-all: readers accounted numbered never-early due-by-policy given-up-by-policy
            spikes: readers accounted numbered never-early due-by-policy given-up-by-policy
            input-flood: input-once input-order input-placed input-sums
            producer-suspended: readers accounted input-once input-order input-sums input-accepted ticks-go-on
            command-flood: readers accounted commands-in-order answered command-sums
            simulation-throws: readers numbered input-once input-order input-sums answered cause-told closed-once threads-end
            crash-loop: readers numbered answered cause-told closed-once threads-end
            simulation-hangs: readers numbered answered cause-told closed-once threads-end
            listener-throws: readers numbered input-once input-order input-sums answered cause-told handed-out-once sources-go-on closed-once
            close-anywhere: answered closed-once threads-end
            fault-pairs: readers input-once input-order input-sums ticks-go-on commands-in-order answered command-sums cause-told closed-once threads-end lifecycle-told readers-come-back ends-in-time abandoned-unheard
            wire: whole consecutive forwards fresh input-once input-order input-sums true-or-flagged fades far-told whole-again young-again undisturbed bounded
            garbage-g1: readers accounted
            garbage-parallel: readers accounted
            garbage-zgc: readers accounted
            cores-busy: readers accounted
            process-suspended: readers accounted no-storm input-once
            one-core: readers accounted
            """;

    @Test
    void shouldCheckInEachScenarioWhatItAlwaysHas() {
        assertThat(scenarios()
                        .map(scenario -> scenario.name() + ": "
                                + scenario.promises().stream()
                                        .sorted()
                                        .map(Promise::toString)
                                        .collect(Collectors.joining(" "))))
                .containsExactlyElementsOf(CHECKS.replace("readers ", "whole consecutive forwards fresh as-simulated ")
                        .lines()
                        .toList());
        assertThat(scenarios().mapToInt(scenario -> scenario.promises().size()).sum())
                .isEqualTo(257);
    }

    @Test
    void shouldHaveNamesThatNobodyElseHas() {
        assertThat(scenarios().map(Scenario::name))
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("[a-z0-9]+(-[a-z0-9]+)*"));
    }

    @Test
    void shouldSayWhichScenariosThereAreWhenThereIsNoSuch() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Scenarios.named(List.of("idle", "idel")))
                .withMessageStartingWith("there is no scenario 'idel'; there are idle");
    }
}
