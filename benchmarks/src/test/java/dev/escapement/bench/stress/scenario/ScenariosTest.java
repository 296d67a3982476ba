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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
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
                        .limit(scenario instanceof InChild ? 1 : Long.MAX_VALUE)
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
