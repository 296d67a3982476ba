package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.stress.Scenario.Body;
import dev.escapement.bench.stress.Scenario.Extent;
import dev.escapement.state.Slice;
import java.util.EnumSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs every scenario for a while, on real threads. The promises must hold on any machine, however slow, and each planted fault must be
 * found.
 */
class ScenarioTest {

    /**
     * Returns the extent of a run. FAILURES starts two processes for each way to fail, so each slice of the tests runs a quarter of the
     * ways.
     */
    private static Extent extent(Scenario scenario) {
        int ways = FailingWorld.Way.values().length;
        return switch (scenario) {
            case FAULT_PAIRS -> new Extent(1, ways, 2, done -> {});
            case FAILURES -> new Extent(1 + Slice.current().number() % 4 * ways / 4, ways / 4, 2, done -> {});
            case HANDOFFS -> new Extent(1, 100_000, 2, done -> {});
        };
    }

    static Stream<Arguments> planted() {
        return Slice.current()
                .of(Stream.of(Scenario.values())
                        .flatMap(scenario -> scenario.promises.stream().map(promise -> Arguments.of(scenario, promise)))
                        .toList());
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepEveryPromise(Scenario scenario) {
        StressReport report = scenario.run(extent(scenario), null);
        assertThat(report.heldInFull()).as(report.text()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("planted")
    void shouldFindEachPlantedFault(Scenario scenario, Promise promise) {
        StressReport report = scenario.run(extent(scenario), promise);
        assertThat(report.foundBroken(promise)).as(report.text()).isTrue();
    }

    private static StressReport run(Body body) {
        return Scenario.run("faulty", EnumSet.of(Promise.WHOLE, Promise.FRESH), body, extent(Scenario.HANDOFFS), null);
    }

    @Test
    void shouldSayFirstWhatIsWrong() {
        StressReport report = run((trial, extent) -> {
            trial.check(Promise.FRESH).broken("tick 3 when 5 was published");
            throw new IllegalStateException("no such body");
        });
        assertThat(report.heldInFull()).isFalse();
        assertThat(report.text())
                .startsWith("Broken: it ended by java.lang.IllegalStateException: no such body. Seed 1 draws ")
                .contains(
                        "no snapshot changes while a reader holds it: never checked",
                        "no window is older than the tick published before acquiring it: broken 1 times");
    }

    @Test
    void shouldHoldOnlyIfEachPromiseWasCheckedAndHeld() {
        assertThat(run((trial, extent) -> trial.check(Promise.WHOLE).held(1)).heldInFull())
                .isFalse();
        StressReport sound = run((trial, extent) -> {
            trial.check(Promise.WHOLE).held(1_000);
            trial.check(Promise.FRESH).held(234);
        });
        assertThat(sound.heldInFull()).isTrue();
        assertThat(sound.text().lines()).startsWith("Held.", "faulty kept 2 promises in 1,234 checks (seed 1).");
    }
}
