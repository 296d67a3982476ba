package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.physics.LateTicks;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** All scenarios, in the order in which they run. */
public final class Scenarios {

    private Scenarios() {}

    /** Each of them, new. */
    public static List<Scenario> all() {
        return List.of(
                ReaderScenarios.idle(),
                ReaderScenarios.rendererStalls(),
                ReaderScenarios.readerNeverLetsGo(),
                ReaderScenarios.readersComeAndGo(),
                WorldScenarios.churn(),
                WorldScenarios.teleports(),
                WorldScenarios.nanBursts(),
                WorldScenarios.pile(1_000),
                WorldScenarios.pile(10_000),
                LoadScenarios.overload(LateTicks.skip()),
                LoadScenarios.overload(LateTicks.burst(4)),
                LoadScenarios.overload(LateTicks.delay()),
                LoadScenarios.overload(LateTicks.runAll()),
                LoadScenarios.spikes(),
                InputScenarios.inputFlood(),
                InputScenarios.producerSuspended(),
                InputScenarios.commandFlood(),
                FailureScenarios.simulationThrows(),
                CrashLoop.scenario(),
                FailureScenarios.simulationHangs(),
                FailureScenarios.listenerThrows(),
                CloseAnywhere.scenario(),
                FaultPairs.scenario(FaultPairs.FIRST, 0),
                LoadScenarios.garbage("G1"),
                LoadScenarios.garbage("PARALLEL"),
                LoadScenarios.garbage("ZGC"),
                LoadScenarios.coresBusy(),
                LoadScenarios.processSuspended(),
                LoadScenarios.oneCore());
    }

    /**
     * Those with the names.
     *
     * @param names none for all
     * @throws IllegalArgumentException if there is no such scenario
     */
    public static List<Scenario> named(List<String> names) {
        List<Scenario> all = all();
        if (names.isEmpty()) {
            return all;
        }
        List<Scenario> named = new ArrayList<>();
        for (String name : names) {
            named.add(all.stream()
                    .filter(scenario -> scenario.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("there is no scenario '" + name + "'; there are "
                            + all.stream().map(Scenario::name).collect(Collectors.joining(", ")))));
        }
        return named;
    }
}
