package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.measure.ChildProcess;
import dev.escapement.bench.stress.trial.JvmDemand;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.SkippedException;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.trial.TrialRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * A scenario that needs a JVM other than this one, and gets it.
 *
 * @param inside what runs there, under the same name
 * @param demand what the JVM has to have
 */
public record ChildScenario(Scenario inside, JvmDemand demand) implements Scenario.Body {

    /** A scenario may wait for 30 s beyond its time, and a loaded machine needs seconds to start a JVM. */
    private static final long PATIENCE_NANOS = 90_000_000_000L;

    private static final int ORPHANED = 3;

    /** The same scenario, in a JVM that has what it needs. */
    static Scenario of(Scenario inside, JvmDemand demand) {
        return new Scenario(
                inside.name(),
                inside.says(),
                inside.promises(),
                inside.delaysTicks(),
                new ChildScenario(inside, demand));
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException, SkippedException {
        demand.run(ChildScenario.class, inside.name(), trial, PATIENCE_NANOS);
    }

    /**
     * The program of the other JVM: runs the scenario, writes what came of it, and ends with its parent.
     *
     * @param arguments as {@link JvmDemand#run} says
     */
    public static void main(String[] arguments) {
        ChildProcess.watchParent(() -> Runtime.getRuntime().halt(ORPHANED));
        Scenario scenario = Scenarios.named(List.of(arguments[0])).get(0);
        Promise planted = Arrays.stream(Promise.values())
                .filter(promise -> promise.toString().equals(arguments[2]))
                .findFirst()
                .orElse(null);
        TrialRun run = TrialRun.of(
                scenario.body() instanceof ChildScenario child ? child.inside : scenario,
                Long.parseLong(arguments[1]),
                planted);
        JvmDemand.report(Path.of(arguments[3]), run);
        System.exit(0); // also if a broken scenario has left threads
    }
}
