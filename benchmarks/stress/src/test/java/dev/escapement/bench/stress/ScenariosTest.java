package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.Slice;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every scenario for some seeds, on real threads: promises hold on any machine, however slow; and each planted fault is found. */
class ScenariosTest {

    /** Each way to fail comes once. */
    private static final long SEEDS = FailingWorld.Way.values().length;

    static Stream<Scenario> scenarios() {
        return StressCommand.scenarios(1, SEEDS).stream();
    }

    static Stream<Arguments> canaries() {
        return Slice.current()
                .of(scenarios()
                        .flatMap(scenario ->
                                scenario.promises().stream().map(promise -> Arguments.of(scenario, promise)))
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void shouldKeepEveryPromise(Scenario scenario) {
        StressReport report = scenario.run(null);
        assertThat(report.heldInFull()).as(report.text()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("canaries")
    void shouldFindEachPlantedFault(Scenario scenario, Promise promise) {
        StressReport report = scenario.run(promise);
        assertThat(report.foundBroken(promise)).as(report.text()).isTrue();
    }

    /** None may get lost: the checks of every scenario, for each of which a fault is planted. */
    private static final String CHECKS = """
            fault-pairs: whole consecutive forwards fresh input-once input-order input-sums commands-in-order answered \
            command-sums threads-end readers-come-back as-simulated ticks-continue cause-reported closed-once \
            lifecycle-reported ends-in-time abandoned-unheard
            failures: file-left repeated
            """;

    @Test
    void shouldCheckInEachScenarioWhatItAlwaysHas() {
        assertThat(scenarios()
                        .map(scenario -> scenario.name() + ": "
                                + scenario.promises().stream()
                                        .sorted()
                                        .map(Promise::toString)
                                        .collect(Collectors.joining(" "))))
                .containsExactlyElementsOf(CHECKS.lines().toList());
    }
}
