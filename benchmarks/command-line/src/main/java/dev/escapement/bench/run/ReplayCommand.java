package dev.escapement.bench.run;

import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.demo.PushedWorld;
import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.bench.view.Viewer.Abilities;
import dev.escapement.physics.Divergence;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.replay.Restorable;
import dev.escapement.physics.replay.SyncTest;
import java.nio.file.Path;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code escapement replay}: runs a recorded run again. */
@Command(
        name = "replay",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        description = {
            "Runs a recorded run again, as fast as it goes, or shows it in real time.",
            "With --sync-test instead of a FILE: steps an engine twice through every tick, from the same saved state with the same"
                    + " pushes, and compares.",
            "Exit code: 0 it ran, 1 it failed, or --verify or --sync-test found a difference, 2 the input was bad."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the options
public final class ReplayCommand extends ConsoleCommand {

    private static final int MOST_TICKS = 1_000_000;

    @Parameters(arity = "0..1", paramLabel = "FILE", description = "What 'escapement run --record FILE' wrote.")
    private @Nullable Path file;

    @Option(
            names = "--verify",
            description =
                    "Exit with 1 and name the tick and the group of 64 bodies where a state first differs from the recorded one;"
                            + " in a log of 'run --record --digests' the body and component.")
    private boolean verify;

    @Mixin
    private ShowOptions show;

    @Option(
            names = "--sync-test",
            paramLabel = "ENGINE",
            description = "Whether the saved states of an engine are whole: of jolt or spring.")
    private @Nullable Engine syncTest;

    @Option(names = "--bodies", paramLabel = "N", description = "With --sync-test: how many bodies. Default: 1000.")
    private @Nullable Integer bodies;

    @Option(names = "--ticks", paramLabel = "N", description = "With --sync-test: how many ticks. Default: 500.")
    private @Nullable Integer ticks;

    @Override
    public Integer call() {
        if (syncTest != null) {
            if (file != null || verify || show.isSeen()) {
                throw new IllegalArgumentException(
                        "--sync-test takes --bodies and --ticks alone: no FILE, and nothing to show");
            }
            return syncTest(syncTest, bodies == null ? 1000 : bodies, ticks == null ? 500 : ticks);
        }
        if (bodies != null || ticks != null) {
            throw new IllegalArgumentException("--bodies and --ticks need --sync-test ENGINE");
        }
        if (file == null) {
            throw new IllegalArgumentException("name a FILE that 'run --record FILE' wrote, or --sync-test ENGINE");
        }
        show.check();
        Replay replay = Replay.of(file);
        Replay.Result result = show.isSeen() ? watch(replay) : run(replay);
        say(replay.source() + ": " + result.text());
        say(
                replay.log().isComplete()
                        ? "The log is complete."
                        : "The log is cut off after tick " + result.ticks() + "; the recorded run may have gone on.");
        result.divergence().ifPresent(divergence -> say("The states are not those that were recorded: " + divergence));
        if (result.divergence().filter(ReplayCommand::isOfAGroup).isPresent()) {
            say("Of a run that was recorded with --digests, the body and component would be named.");
        }
        if (!verify) {
            return 0;
        }
        if (result.divergence().isPresent()) {
            return 1;
        }
        say("Ticks 1 to " + result.ticks() + " led to the states that were recorded.");
        return 0;
    }

    private static boolean isOfAGroup(Divergence divergence) {
        return divergence.group() != Divergence.UNKNOWN && divergence.body() == Divergence.UNKNOWN;
    }

    private int syncTest(Engine engine, int number, int lastTick) {
        check("--bodies", number, 0, RunOptions.MAX_BODIES);
        check("--ticks", lastTick, 1, MOST_TICKS);
        Simulation simulation = World.create(engine, number).simulation();
        if (!(simulation instanceof Restorable)) {
            simulation.close();
            throw new IllegalArgumentException(
                    "--sync-test " + engine + " cannot save its state, which is restored at every tick; name another");
        }
        SyncTest test = SyncTest.of((Simulation & Restorable) simulation);
        try (PushedWorld world = new PushedWorld(test, number);
                ProgressBar progress = ProgressLine.of("sync-test", lastTick, " ticks")) {
            for (int tick = 1; tick <= lastTick && test.divergence().isEmpty(); tick++) {
                world.prepare();
                world.tick();
                progress.stepTo(tick);
            }
        }
        say(engine + ", " + number + " bodies: "
                + test.divergence()
                        .map(difference ->
                                "run again from its saved state, not every tick leads to the same state: " + difference)
                        .orElse(lastTick + " ticks, each run twice from its saved state, led to the same states."));
        return test.divergence().isEmpty() ? 0 : 1;
    }

    private static Replay.Result run(Replay replay) {
        try (ProgressBar progress =
                ProgressLine.of(replay.source().toString(), replay.log().ticks(), " ticks")) {
            return replay.run(progress::stepTo);
        }
    }

    private Replay.Result watch(Replay replay) {
        String title = "Replay of " + replay.source();
        try (Stage stage = show.stage(title, replay.world().scene(), new Abilities(0, false), null, this::say)) {
            return replay.show(stage);
        }
    }
}
