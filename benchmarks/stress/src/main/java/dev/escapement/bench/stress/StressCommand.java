package dev.escapement.bench.stress;

import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.demo.OwnSimulation;
import dev.escapement.bench.stress.scenario.Scenarios;
import dev.escapement.bench.stress.scenario.SeedRuns;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.bench.stress.trial.Outcome.Verdict;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.TrialRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
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
            "Exit code: 0 all promises held, 1 one was broken, a figure is above its limit or a file could not be written, 2 the"
                    + " input was bad."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the options
public final class StressCommand extends ConsoleCommand {

    private static final String MISSED = "missed";
    private static final double MOST_SECONDS = 1_000_000;
    private static final int DEFAULT_BODIES = 1000;
    private static final int MOST_BODIES = 1_000_000;
    private static final int DEFAULT_ROUNDS = 3;
    private static final int MOST_ROUNDS = 100;

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

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "The first seed of fault-pairs or wire; those after it follow. Default: 1.")
    private @Nullable Long seed;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description =
                    "How many seeds fault-pairs or wire takes, however long. Default: as many as there is time for.")
    private @Nullable Long seeds;

    @Mixin
    private OwnSimulation.Options own;

    @Option(
            names = "--bodies",
            paramLabel = "N",
            description = "How many bodies your own simulation is given. Default: 1000.")
    private @Nullable Integer bodies;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "target/escapement",
            description =
                    "Folder of stress.html, stress.json and stress.hlog, which are rewritten after each scenario.")
    private Path out;

    @Option(
            names = "--gate",
            paramLabel = "FILE",
            description = {
                "Runs the scenarios that have limits in a file, and compares. Limits are ratios to what this machine does at the same time."
            })
    private @Nullable Path gateFile;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "How often each scenario runs for the gate, of which the median counts. Default: 3.")
    private @Nullable Integer rounds;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        check();
        List<Scenario> scenarios = scenarios();
        if (list) {
            say(StressTable.LIST.textWithoutBorders(scenarios));
            return 0;
        }
        if (canary) {
            return plant(scenarios);
        }
        if (gateFile == null) {
            return stress(scenarios, new Gate(List.of()), 1);
        }
        Gate gate = new Gate(Limit.read(gateFile));
        return stress(gate.scenarios(), gate, rounds == null ? DEFAULT_ROUNDS : rounds);
    }

    private void check() {
        refuseIf(
                !(seconds > 0 && seconds <= MOST_SECONDS),
                "--seconds must be more than 0 and at most " + MOST_SECONDS + ", but is " + seconds);
        refuseIf(list && canary, "--list runs nothing, --canary does; give one of them");
        refuseIf(
                gateFile != null && (list || canary || !names.isEmpty()),
                "--gate runs the scenarios of its file; leave out --list, --canary and names of scenarios");
        refuseIf(rounds != null && gateFile == null, "--rounds belongs to --gate, which is not there");
        check("--rounds", rounds == null ? DEFAULT_ROUNDS : rounds, 1, MOST_ROUNDS);
    }

    private static void refuseIf(boolean bad, String says) {
        if (bad) {
            throw new IllegalArgumentException(says);
        }
    }

    private List<Scenario> scenarios() {
        OwnSimulation simulation = own.load().orElse(null);
        if (simulation == null) {
            refuseIf(bodies != null, "--bodies is for --simulation CLASS, but none is named");
            return seed == null && seeds == null ? Scenarios.named(names) : List.of(seedRuns());
        }
        refuseIf(
                gateFile != null,
                "--gate runs the scenarios of its file, and --simulation the scenario '" + Scenarios.USER
                        + "'; leave one out");
        Scenario user = Scenarios.user(simulation.name(), () -> simulation.create(userBodies()));
        refuseIf(
                !names.isEmpty() && !names.equals(List.of(user.name())),
                "--simulation runs in the scenario '" + user.name() + "' alone, but " + names
                        + " are named; leave them out, or --simulation");
        simulation.create(userBodies()).close(); // what cannot be made is told before anything runs
        return List.of(user);
    }

    private Scenario seedRuns() {
        refuseIf(
                !names.equals(List.of(SeedRuns.FAULT_PAIRS)) && !names.equals(List.of(SeedRuns.WIRE)),
                "--seed and --seeds are for '" + SeedRuns.FAULT_PAIRS + "' alone or '" + SeedRuns.WIRE
                        + "' alone; name one of these scenarios, and no other");
        refuseIf(seeds != null && seeds < 1, "--seeds must be at least 1, but is " + seeds);
        return SeedRuns.scenario(names.get(0), seed == null ? SeedRuns.FIRST : seed, seeds == null ? 0 : seeds);
    }

    private int userBodies() {
        int asked = bodies == null ? DEFAULT_BODIES : bodies;
        check("--bodies", asked, 0, MOST_BODIES);
        return asked;
    }

    private int stress(List<Scenario> scenarios, Gate gate, int times) {
        StressFolder folder = new StressFolder(out);
        try (Progress progress = new Progress("stress", scenarios.size() * times, seconds)) {
            for (int i = 0; i < scenarios.size() * times; i++) {
                if (gateFile != null && i % scenarios.size() == 0) {
                    gate.begin(Calibration.measure());
                }
                Scenario scenario = scenarios.get(i % scenarios.size());
                progress.begin(scenario.name(), i);
                TrialRun run = TrialRun.of(scenario, lengthNanos(), null);
                folder.keep(run); // before the next begins
                gate.add(run.outcome());
            }
        }
        List<Outcome> outcomes = folder.outcomes();
        say(StressTable.OUTCOMES.text(outcomes));
        say(StressTable.verdicts(outcomes));
        if (gateFile != null) {
            say(gate.toString());
            folder.keep(gate);
        }
        boolean written = folder.failure().isEmpty();
        if (written) {
            say(folder.toString());
        } else {
            spec.commandLine().getErr().println("escapement: " + folder.failure() + "; what was found is above");
        }
        boolean held = Outcome.count(outcomes, Verdict.BROKEN) == 0;
        return held && written && gate.isPassed() ? 0 : 1;
    }

    private long lengthNanos() {
        return (long) (seconds * 1e9);
    }

    /** A fault planted on purpose, and whether the check that is there for it "found" or "missed" it, or the scenario was "skipped". */
    record Canary(String scenario, Promise promise, String fate) {}

    private int plant(List<Scenario> scenarios) {
        List<Canary> canaries = new ArrayList<>();
        int promises = scenarios.stream().mapToInt(s -> s.promises().size()).sum();
        try (Progress progress = new Progress("canaries", promises, seconds)) {
            for (Scenario scenario : scenarios) {
                for (Promise promise : scenario.promises()) {
                    progress.begin(scenario.name() + " " + promise, canaries.size());
                    Outcome outcome =
                            TrialRun.of(scenario, lengthNanos(), promise).outcome();
                    String fate = outcome.foundBroken(promise) ? "found" : MISSED;
                    canaries.add(new Canary(
                            scenario.name(), promise, outcome.verdict() == Verdict.SKIPPED ? "skipped" : fate));
                }
            }
        }
        say(StressTable.CANARIES.text(canaries));
        return canaries.stream().anyMatch(one -> one.fate().equals(MISSED)) ? 1 : 0;
    }

    /** Shows which scenario runs and how far it is, in tenths of seconds, also when a single one runs for hours. */
    private static final class Progress implements AutoCloseable {

        private static final long LOOK_MILLIS = 200;
        private static final double STEPS_PER_SECOND = 10;

        private final ProgressBar bar;
        private final long stepsEach;
        private final int scenarios;
        private final Timer clock = new Timer("stress-progress", true);
        private volatile Now now; // read by the looking thread: a record, so name and start belong together

        private record Now(int before, long startedNanos) {}

        /** A line for so many scenarios of so many seconds. */
        Progress(String task, int scenarios, double seconds) {
            this.scenarios = scenarios;
            stepsEach = Math.max(1, Math.round(seconds * STEPS_PER_SECOND));
            now = new Now(0, System.nanoTime());
            bar = ProgressLine.of(task, stepsEach * scenarios, "");
            TimerTask looking = new TimerTask() {
                @Override
                public void run() {
                    look();
                }
            };
            clock.schedule(looking, LOOK_MILLIS, LOOK_MILLIS);
        }

        void begin(String name, int before) {
            now = new Now(before, System.nanoTime());
            bar.setExtraMessage(String.format(" %d/%d %s", before + 1, scenarios, name));
            look();
        }

        private void look() {
            Now seen = now;
            double seconds = (System.nanoTime() - seen.startedNanos) / 1e9;
            // A scenario that takes longer than the others waits at its end.
            bar.stepTo(stepsEach * seen.before + Math.min(stepsEach - 1, (long) (seconds * STEPS_PER_SECOND)));
        }

        @Override
        public void close() {
            clock.cancel();
            bar.stepTo(stepsEach * scenarios);
            bar.close();
        }
    }
}
