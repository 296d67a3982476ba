package dev.escapement.bench.stress;

import dev.escapement.bench.own.OwnSimulation;
import dev.escapement.bench.own.OwnSimulationOptions;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.stress.scenario.Scenarios;
import dev.escapement.bench.stress.scenario.Yours;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Outcome.Verdict;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.TrialRun;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code escapement stress}: every way to break the service that we know, and what came of it. */
@Command(
        name = "stress",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Tries to break the service in every way we know, and checks what it promises from outside.",
            "Two verdicts: promises, which hold on any machine, and figures of this machine, which are graded.",
            "Exit code: 0 all promises held, 1 one was broken, 2 the input was bad."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the options
public final class StressCommand implements Callable<Integer> {

    private static final double MOST_SECONDS = 1_000_000;
    private static final int DEFAULT_BODIES = 1000;
    private static final int MOST_BODIES = 1_000_000;

    @Parameters(paramLabel = "SCENARIO", arity = "0..*", description = "Which scenarios; all by default.")
    private List<String> names = new ArrayList<>();

    @Option(names = "--list", description = "Lists the scenarios and what each checks, and runs none.")
    private boolean list;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "3",
            description = "How long each scenario runs; some need longer.")
    private double seconds;

    @Option(
            names = "--canary",
            description = "Plants a fault for each check of each scenario, one at a time; each must be found.")
    private boolean canary;

    @Mixin
    private OwnSimulationOptions own;

    @Option(
            names = "--bodies",
            paramLabel = "N",
            description = "How many bodies your own simulation is given. Default: 1000.")
    private @Nullable Integer bodies;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        List<Scenario> scenarios = scenarios();
        if (!(seconds > 0 && seconds <= MOST_SECONDS)) {
            throw new IllegalArgumentException(
                    "--seconds must be more than 0 and at most " + MOST_SECONDS + ", but is " + seconds);
        }
        if (list) {
            say(StressTable.list(scenarios));
            return 0;
        }
        return canary ? plant(scenarios) : stress(scenarios);
    }

    private List<Scenario> scenarios() {
        OwnSimulation simulation = own.load().orElse(null);
        if (simulation == null) {
            if (bodies != null) {
                throw new IllegalArgumentException("--bodies is for --simulation CLASS, but none is named");
            }
            return Scenarios.named(names);
        }
        Yours yours = new Yours(simulation.name(), () -> simulation.create(bodiesOfYours()));
        if (!names.isEmpty() && !names.equals(List.of(yours.name()))) {
            throw new IllegalArgumentException("--simulation runs in the scenario '" + yours.name() + "' alone, but "
                    + names + " are named; leave them out, or --simulation");
        }
        simulation.create(bodiesOfYours()).close(); // what cannot be made is told before anything runs
        return List.of(yours);
    }

    private int bodiesOfYours() {
        int asked = bodies == null ? DEFAULT_BODIES : bodies;
        if (asked < 0 || asked > MOST_BODIES) {
            throw new IllegalArgumentException("--bodies must be between 0 and " + MOST_BODIES + ", but is " + asked);
        }
        return asked;
    }

    private int stress(List<Scenario> scenarios) {
        List<TrialRun> runs = new ArrayList<>();
        try (ProgressBar progress = ProgressLine.of("stress", scenarios.size(), " scenarios")) {
            for (Scenario scenario : scenarios) {
                progress.setExtraMessage(scenario.name());
                runs.add(TrialRun.of(scenario, (long) (seconds * 1e9), null));
                progress.step();
            }
        }
        List<Outcome> outcomes = runs.stream().map(TrialRun::outcome).toList();
        say(StressTable.of(outcomes));
        return outcomes.stream().anyMatch(outcome -> outcome.verdict() == Verdict.BROKEN) ? 1 : 0;
    }

    private int plant(List<Scenario> scenarios) {
        List<Canary> canaries = new ArrayList<>();
        long promises = scenarios.stream().mapToLong(s -> s.promises().size()).sum();
        try (ProgressBar progress = ProgressLine.of("canaries", promises, "")) {
            for (Scenario scenario : scenarios) {
                for (Promise promise : scenario.promises()) {
                    progress.setExtraMessage(scenario.name() + " " + promise);
                    canaries.add(Canary.plant(scenario, promise, (long) (seconds * 1e9)));
                    progress.step();
                }
            }
        }
        say(StressTable.ofCanaries(canaries));
        return canaries.stream().anyMatch(one -> one.fate() == Canary.Fate.MISSED) ? 1 : 0;
    }

    private void say(String text) {
        spec.commandLine().getOut().println(text);
        spec.commandLine().getOut().flush();
    }
}
