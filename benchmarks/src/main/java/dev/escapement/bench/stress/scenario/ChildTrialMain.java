package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.child.ParentWatch;
import dev.escapement.bench.stress.child.ChildReport;
import dev.escapement.bench.stress.child.ChildTrial;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.TrialRun;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The program of a child JVM that runs one scenario, and ends with its parent. Started by {@link InChild}. */
public final class ChildTrialMain {

    private static final int ORPHANED = 3;

    private ChildTrialMain() {}

    /**
     * Runs the scenario and writes what came of it.
     *
     * @param arguments as {@link ChildTrial} says
     */
    public static void main(String[] arguments) {
        ParentWatch.start(() -> Runtime.getRuntime().halt(ORPHANED));
        Scenario scenario = Scenarios.named(List.of(arguments[0])).get(0);
        TrialRun run = TrialRun.of(
                scenario instanceof InChild here ? here.inside() : scenario,
                Long.parseLong(arguments[1]),
                promise(arguments[2]));
        ChildReport.of(run).write(Path.of(arguments[3]));
        System.exit(0); // whatever threads a broken scenario may have left
    }

    private static @Nullable Promise promise(String name) {
        return Arrays.stream(Promise.values())
                .filter(promise -> promise.toString().equals(name))
                .findFirst()
                .orElse(null);
    }
}
