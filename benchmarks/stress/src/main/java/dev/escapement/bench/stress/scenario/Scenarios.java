package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.physics.LateTicks;
import dev.escapement.physics.Simulation;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** All scenarios, in the order in which they run. */
public final class Scenarios {

    /** The name of the scenario of a user's own simulation. */
    public static final String USER = "yours";

    private Scenarios() {}

    /** Each of them, new. */
    public static List<Scenario> all() {
        return List.of(
                ReaderScenarios.idle(),
                ReaderScenarios.readers(),
                Churn.scenario(),
                Teleports.scenario(),
                Overload.scenario(LateTicks.skip()),
                Overload.scenario(LateTicks.burst(4)),
                Overload.scenario(LateTicks.delay()),
                Overload.scenario(LateTicks.runAll()),
                Flood.scenario(4, 1_000_000, InputFault.NONE, offered -> {}),
                CommandFlood.scenario(),
                ListenerThrows.scenario(),
                CloseAnywhere.scenario(),
                SeedRuns.scenario(SeedRuns.FAULT_PAIRS, SeedRuns.FIRST, 0),
                SeedRuns.scenario(SeedRuns.WIRE, SeedRuns.FIRST, 0));
    }

    /**
     * Those with the names.
     *
     * @param names none for all
     * @throws IllegalArgumentException if there is no such scenario
     */
    public static List<Scenario> named(List<String> names) {
        List<Scenario> all = all();
        return names.isEmpty()
                ? all
                : names.stream().map(name -> named(name, all)).toList();
    }

    private static Scenario named(String name, List<Scenario> all) {
        return all.stream()
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no scenario '" + name + "'; there are "
                        + all.stream().map(Scenario::name).collect(Collectors.joining(", "))));
    }

    /**
     * A simulation of the user's own, of which there is no model; all else is checked.
     *
     * @param simulationName what it is called
     * @param simulations    makes a new one for each run
     */
    public static Scenario user(String simulationName, Supplier<Simulation> simulations) {
        return new Scenario(
                USER,
                simulationName + " and two readers",
                CheckingReader.promisesWithoutModel(Promise.ACCOUNTED),
                trial -> {
                    try (WatchedService service = new WatchedService(trial, simulations.get(), builder -> builder)) {
                        service.readBy(snapshot -> true, WatchedService.FPS);
                        service.readBy(snapshot -> true, WatchedService.FPS / 2);
                        service.awaitEnd();
                    }
                });
    }
}
