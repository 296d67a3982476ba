package dev.escapement.bench.machine;

import dev.escapement.bench.measure.MachineWitness;
import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.HtmlPage;
import dev.escapement.bench.report.WholeFile;
import dev.escapement.bench.run.Engine;
import dev.escapement.bench.run.OwnSimulation;
import dev.escapement.bench.run.RunOptions;
import dev.escapement.bench.stress.trial.Outcome;
import dev.escapement.physics.Simulation;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code escapement machine}: what to expect of a machine. */
@Command(
        name = "machine",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Looks at this machine for six seconds: timers, wake-ups, pauses, cores, display, engines.",
            "Says what to expect of it and what to change. Breaks nothing, so the exit code is 0.",
        })
@SuppressWarnings("NullAway.Init") // picocli sets the options
public final class MachineCommand extends ConsoleCommand {

    private static final long MOST_NANOS = 60_000_000_000L;
    private static final int FIRST_BODIES = 100;
    private static final long FIRST_HERTZ = 100;
    private static final long MOST_HERTZ = 100_000;

    @Option(
            names = "--ramp",
            description = {
                "Finds the largest --bodies at 100 Hz, and the largest --tick-hz with --bodies, that 'run' can hold for a"
                        + " moment with no time given up; two minutes or less."
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

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "target/escapement",
            description = "Folder of machine.html.")
    private Path out;

    @Override
    public Integer call() {
        check("--bodies", bodies, 0, RunOptions.MAX_BODIES);
        OwnSimulation own = ownOptions.load().orElse(null);
        if (own != null && engine != null) {
            throw new IllegalArgumentException(
                    "--simulation " + own.name() + " and --engine " + engine + " exclude each other; leave one out");
        }
        if (ramp) {
            ramp(own);
            return 0;
        }
        if (own != null || engine != null) {
            throw new IllegalArgumentException("--simulation and --engine are for --ramp, which is not there");
        }
        Path page = out.resolve("machine.html");
        WholeFile.checkWritable("--out", page);
        List<Finding> findings = new ArrayList<>(Processor.look());
        MachineWitness witness = MachineWitness.start();
        Outcome ticking;
        try (witness) {
            ticking = Delays.tick();
        }
        findings.addAll(Delays.look(ticking, witness));
        findings.addAll(Devices.look());
        String library = Outcome.libraryVerdict(List.of(ticking));
        String machine = Finding.verdict(findings);
        Map<String, Object> shown = Map.of(
                "title",
                "this machine",
                "library",
                library,
                "machine",
                machine,
                "findings",
                Finding.table().forPage(findings));
        HtmlPage.write(page, HtmlPage.fill(MachineCommand.class, "machine.html", shown));
        say(Finding.table().text(findings));
        say("Library: " + library);
        say("Machine: " + machine);
        say("Page: " + page);
        return 0;
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
        own.create(FIRST_BODIES).close(); // what cannot be made is told before anything runs
        ramp(own.name(), own::create);
    }

    /** Of any simulation, by how many bodies it has. */
    private void ramp(String name, IntFunction<Simulation> simulations) {
        Ramp.Trial trial = new Ramp.Trial(simulations);
        TickRate usual = TickRate.hertz(FIRST_HERTZ);
        trial.run(FIRST_BODIES, usual); // for the JIT compiler
        say("The largest --bodies of " + name + " at " + FIRST_HERTZ + " Hz");
        long most =
                climb(" bodies").largest(FIRST_BODIES, RunOptions.MAX_BODIES, number -> trial.run((int) number, usual));
        say("The largest --tick-hz of " + name + " with " + bodies + " bodies");
        long fastest =
                climb(" Hz").largest(FIRST_HERTZ, MOST_HERTZ, number -> trial.run(bodies, TickRate.hertz(number)));
        say(String.format(
                Locale.ROOT,
                "%s holds %s at %d Hz, and %s with %,d bodies: so long as nothing else runs, and for the first second of its world."
                        + " A pile that has come down is more work: leave a third free.%s",
                name,
                most == 0 ? "not even " + FIRST_BODIES + " bodies" : String.format(Locale.ROOT, "%,d bodies", most),
                FIRST_HERTZ,
                fastest == 0 ? "not even " + FIRST_HERTZ + " Hz" : String.format(Locale.ROOT, "%,d Hz", fastest),
                bodies,
                most == 0 || fastest == 0 ? " Something else takes the time: 'machine' shows what." : ""));
    }

    private Ramp climb(String unit) {
        return new Ramp(
                NanoClock.system(),
                MOST_NANOS,
                (number, why) ->
                        say(String.format(Locale.ROOT, "  %,d%s: %s", number, unit, why.isEmpty() ? "holds" : why)));
    }
}
