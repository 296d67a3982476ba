package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.Promises;
import dev.escapement.bench.stress.world.WatchedService;
import dev.escapement.physics.Simulation;
import java.util.Set;
import java.util.function.Supplier;

/** A simulation of the user's own, of which nobody here knows where its bodies have to be; all else is checked. */
public final class Yours implements Scenario {

    /** What it is called, whatever the simulation is. */
    public static final String NAME = "yours";

    private static final long FPS = 144;

    private final String simulationName;
    private final Supplier<Simulation> simulations;

    /**
     * Runs a new one each time.
     *
     * @param simulationName what it is called
     * @param simulations    makes it
     */
    public Yours(String simulationName, Supplier<Simulation> simulations) {
        this.simulationName = simulationName;
        this.simulations = simulations;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String says() {
        return simulationName + " and two readers";
    }

    @Override
    public Set<Promise> promises() {
        return Promises.ofReadersWithoutModel(Promise.ACCOUNTED);
    }

    @Override
    public void run(Trial trial) {
        try (WatchedService service = WatchedService.start(trial, simulations.get(), builder -> builder)) {
            service.readBy(snapshot -> true, FPS);
            service.readBy(snapshot -> true, FPS / 2);
            service.awaitEnd();
            service.service().failure().ifPresent(failure -> {
                throw new IllegalStateException(simulationName + " failed: " + failure, failure);
            });
        }
    }
}
