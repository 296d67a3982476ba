package dev.escapement.bench.machine;

import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.demo.OwnSimulation;
import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.JsonFile;
import dev.escapement.bench.run.RunOptions;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code escapement machine}: what to expect of a machine. */
@Command(
        name = "machine",
        description = {
            "Looks at this machine for a minute: cores, timers, graphics, engines, and how late steps start and end.",
            "Ticks in several ways, with no busy processes, as many as cores, and twice as many. Reports what to expect"
                    + " and what to change. No promise can break, so the exit code is 0.",
        })
public final class MachineCommand extends ConsoleCommand {

    private static final long MAX_NANOS = 60_000_000_000L;
    private static final int FIRST_BODIES = 100;
    private static final long FIRST_HERTZ = 100;
    private static final long MAX_HERTZ = 100_000;

    @Option(
            names = "--ramp",
            description = {
                "Finds the largest --bodies at 100 Hz, and the largest --tick-hz with --bodies, that 'run' can hold for a"
                        + " moment with no skipped time; two minutes or less."
            })
    private boolean ramp;

    @Option(
            names = "--engine",
            paramLabel = "NAME",
            description = "Of the ramp: ${COMPLETION-CANDIDATES}. Default: jolt.")
    private @Nullable Engine engine;

    @Mixin
    private OwnSimulation.Options ownOptions;

    @Option(
            names = "--bodies",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Of the ramp of --tick-hz: how many bodies.")
    private int bodies;

    @Option(names = "--tick-hz", paramLabel = "HZ", defaultValue = "100", description = "How many ticks a second.")
    private int hertz;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "1",
            description = "How long each way ticks, in runs of a second; the median over the runs counts.")
    private int seconds;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes how late steps start and end to FILE.")
    private @Nullable Path json;

    /** Tests shorten it. */
    long runNanos = TimeUnit.SECONDS.toNanos(1);

    @Override
    public Integer call() throws InterruptedException {
        check("--bodies", bodies, 0, RunOptions.MAX_BODIES);
        check("--tick-hz", hertz, 1, 10_000);
        check("--seconds", seconds, 1, 3600);
        OwnSimulation own = ownOptions.load(engine).orElse(null);
        if (ramp && json != null) {
            throw new IllegalArgumentException("--json needs a run without --ramp");
        } else if (ramp) {
            ramp(own);
        } else if (own != null || engine != null) {
            throw new IllegalArgumentException("--simulation and --engine need --ramp");
        } else {
            look();
        }
        return 0;
    }

    private void look() throws InterruptedException {
        List<Finding> findings = new ArrayList<>(MachineSurvey.look());
        Ladder ladder = new Ladder(TickRate.hertz(hertz), runNanos, seconds, findings);
        List<Lateness> rows = ladder.climb();
        findings.addAll(ladder.findings(rows));
        say(Finding.table().text(findings));
        say("How late steps start and end, in ms: the median (start, end), the 90th and the 99th percentile.");
        say(Lateness.table().text(rows));
        say("Machine: " + Finding.verdict(findings));
        if (json != null) {
            JsonFile.write(json, Map.of("lateness", rows));
        }
    }

    private void ramp(@Nullable OwnSimulation own) {
        if (own == null) {
            Engine chosen = engine == null ? Engine.JOLT : engine;
            ramp(chosen.toString(), chosen::simulation);
            return;
        }
        if (!own.takesBodies()) {
            throw new IllegalArgumentException(
                    "--ramp makes " + own.name() + " with more and more bodies, but its constructor"
                            + " takes no number (int); give it one that does");
        }
        own.create(FIRST_BODIES).close(); // reports what cannot be created before anything runs
        ramp(own.name(), own::create);
    }

    private void ramp(String name, IntFunction<Simulation> simulations) {
        Ramp.Trial trial = new Ramp.Trial(simulations);
        TickRate usual = TickRate.hertz(FIRST_HERTZ);
        trial.run(FIRST_BODIES, usual); // for the JIT compiler
        say("The largest --bodies of " + name + " at " + FIRST_HERTZ + " Hz");
        long max =
                climb(" bodies").largest(FIRST_BODIES, RunOptions.MAX_BODIES, number -> trial.run((int) number, usual));
        say("The largest --tick-hz of " + name + " with " + bodies + " bodies");
        long fastest =
                climb(" Hz").largest(FIRST_HERTZ, MAX_HERTZ, number -> trial.run(bodies, TickRate.hertz(number)));
        say(String.format(
                Locale.ROOT,
                "%s holds %s at %d Hz, and %s with %,d bodies: so long as nothing else runs, and for the first second of its world."
                        + " Bodies that tumble are more work: leave a third free.",
                name,
                max == 0 ? "not even " + FIRST_BODIES + " bodies" : String.format(Locale.ROOT, "%,d bodies", max),
                FIRST_HERTZ,
                fastest == 0 ? "not even " + FIRST_HERTZ + " Hz" : String.format(Locale.ROOT, "%,d Hz", fastest),
                bodies));
    }

    private Ramp climb(String unit) {
        return new Ramp(
                NanoClock.system(),
                MAX_NANOS,
                (number, why) ->
                        say(String.format(Locale.ROOT, "  %,d%s: %s", number, unit, why.isEmpty() ? "holds" : why)));
    }
}
