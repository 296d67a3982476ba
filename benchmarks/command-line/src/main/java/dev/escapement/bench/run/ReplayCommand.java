package dev.escapement.bench.run;

import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.report.WholeFile;
import dev.escapement.physics.replay.DamagedLogException;
import dev.escapement.physics.replay.FlightReport;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.ReplayResult;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code escapement replay}: simulates a recorded run again. */
@Command(
        name = "replay",
        description = {
            "Repeats a recorded run as fast as it goes. With a file of --flight-recorder it says whether the failure repeats.",
            "Exit code: 0 it ran, 1 it failed, a recorded failure repeated or was cut off, or --verify found a difference, 2 the"
                    + " input was bad."
        })
public final class ReplayCommand extends ConsoleCommand {

    private static final Pattern SCENE = Pattern.compile("(\\d{1,9}) bodies");

    private static final String IN_JAVA =
            "repeat a world of your own in Java, with InputLog.open(path).repeat(() -> world)";

    @Parameters(
            paramLabel = "FILE",
            description = "The file of '${ROOT-COMMAND-NAME} run --record FILE', or of --flight-recorder.")
    private Path file;

    @Option(
            names = "--verify",
            description = "Exit with 1 and name the first tick after which the state differs from the recorded one.")
    private boolean verify;

    @Override
    public Integer call() {
        InputLog log = open(file);
        if (log.report().isPresent()) {
            return repeat(log, log.report().get());
        }
        Optional<TickSource.Divergence> divergence = replay(log).divergence();
        say(
                log.isComplete()
                        ? "The log is complete."
                        : "The log is cut off after tick " + log.lastPosition()
                                + ", as that of a process that was killed: the recorded run may be longer.");
        divergence.ifPresent(first -> say("The states differ from the recorded ones: " + first));
        if (verify && divergence.isEmpty()) {
            say("Ticks " + log.firstTick() + " to " + log.lastPosition() + " led to the recorded states.");
        }
        return verify && divergence.isPresent() ? 1 : 0;
    }

    private int repeat(InputLog log, FlightReport report) {
        say("Ticks " + log.firstTick() + " to " + log.lastPosition() + " of a flight recorder: " + report);
        if (report.reason() == TickHook.Fault.Reason.DIED || report.reason() == TickHook.Fault.Reason.HUNG) {
            say("If this process " + (report.reason() == TickHook.Fault.Reason.DIED ? "dies" : "hangs") + " in tick "
                    + report.tick() + ", the failure has repeated.");
        }
        ReplayResult repetition = replay(log);
        say(repetition.text());
        return repetition.outcome() == ReplayResult.Outcome.RAN_THROUGH ? 0 : 1;
    }

    private static InputLog open(Path file) {
        if (!Files.isRegularFile(file)) { // a pipe is refused, because opening it would block
            throw new IllegalArgumentException(file + (Files.exists(file) ? " is no file" : " does not exist")
                    + "; name what 'run --record FILE' wrote");
        }
        try {
            InputLog log = InputLog.open(file);
            if (log.ticks() == 0) {
                throw new IllegalArgumentException(
                        file + " has no ticks: it was cut off, or its run ended before the first one");
            }
            return log;
        } catch (DamagedLogException damaged) {
            throw new IllegalArgumentException(damaged.getMessage(), damaged);
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read: " + WholeFile.why(e), e);
        }
    }

    /**
     * Builds the world of a log again.
     *
     * @throws IllegalArgumentException if this program does not know the log's scene, or has another version of its engine
     */
    private static Simulation world(RunDescription run) {
        Engine engine = Arrays.stream(Engine.values())
                .filter(known -> known.toString().equals(run.engine()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the run was recorded with the engine '" + run.engine()
                        + "', but only " + Arrays.toString(Engine.values()) + " are known here; " + IN_JAVA));
        Matcher scene = SCENE.matcher(run.scene());
        if (!scene.matches()
                || Integer.parseInt(scene.group(1)) > RunOptions.MAX_BODIES
                || run.seed() != World.NO_SEED) {
            throw new IllegalArgumentException("the recorded scene '" + run.scene() + "' with seed " + run.seed()
                    + " is not known here; known are '0 bodies' to '" + RunOptions.MAX_BODIES
                    + " bodies' with seed " + World.NO_SEED + "; " + IN_JAVA);
        }
        if (!run.engineVersion().equals(engine.version())) {
            throw new IllegalArgumentException("the run was recorded with " + engine + " " + run.engineVersion()
                    + ", but here is " + engine.version()
                    + ", which may compute other bits; replay it with the version that recorded it");
        }
        return engine.simulation(Integer.parseInt(scene.group(1)));
    }

    private ReplayResult replay(InputLog log) {
        Simulation simulation = world(log.run());
        String name = log.run().engine() + ", " + log.run().scene();
        long startedNanos = System.nanoTime();
        try (ProgressBar progress = ProgressLine.of(name, log.ticks(), " ticks")) {
            long[] lastHash = new long[1];
            // The progress counts steps, because tick numbers go back where the recorded run seeks back.
            long[] steps = new long[1];
            ReplayResult repetition = log.repeat(() -> new ForwardingSimulation(simulation) {
                @Override
                public void step(Tick tick) throws Exception {
                    super.step(tick);
                    progress.stepTo(++steps[0]);
                    lastHash[0] = steps[0] == log.ticks() ? simulation.hash() : 0;
                }
            });
            double tookSeconds = (System.nanoTime() - startedNanos) / 1e9;
            double simulatedSeconds = log.ticks() / log.rate().inHertz();
            say(String.format(
                    Locale.ROOT,
                    "%s: %,d ticks at %s: %.2f s simulated in %.2f s, %.1f times as fast.%nState hash after tick %d: %s",
                    name,
                    log.ticks(),
                    log.rate(),
                    simulatedSeconds,
                    tookSeconds,
                    simulatedSeconds / tookSeconds,
                    log.lastPosition(),
                    HexFormat.of().toHexDigits(lastHash[0])));
            return repetition;
        }
    }
}
