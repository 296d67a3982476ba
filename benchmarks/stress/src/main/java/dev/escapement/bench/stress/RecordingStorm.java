package dev.escapement.bench.stress;

import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.replay.RecordingFailure;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.replay.log.ReplayResult;
import dev.escapement.physics.simulation.Simulation;
import java.io.IOException;
import java.nio.file.Path;

/** Records the life. If its log can be replayed, replays it and compares the states. */
final class RecordingStorm implements Part {

    private final Life life;
    private final Recording recording;
    private final Path log;

    private RecordingStorm(Life life, Path log) throws IOException {
        this.life = life;
        this.log = log;
        recording = Recording.create(log, life.description());
    }

    static Part of(Life life) {
        try {
            return new RecordingStorm(life, life.folder.resolve("life.esclog"));
        } catch (IOException e) {
            life.trial.finding("a recording could not begin: " + e);
            return Part.NONE;
        }
    }

    @Override
    public void join(PhysicsServiceBuilder builder) {
        builder.with(recording);
    }

    @Override
    public void stopped() {
        recording.close();
    }

    @Override
    public void check() {
        recording.failure().ifPresentOrElse(failed -> ended(life, "the recording", failed), this::runAgain);
    }

    /** Reports why a recording ended early. A full disk is only a finding; an exception of the library's writing code is a failure. */
    static void ended(Life life, String what, RecordingFailure failed) {
        Throwable thrown = failed.cause().getCause(); // the recording wraps exceptions other than IOException
        if (thrown == null || thrown instanceof IOException) {
            life.trial.finding(what + " ended: " + failed.cause());
        } else {
            life.fail(what + " failed: " + thrown);
        }
    }

    private void runAgain() {
        if (!life.plan.repeats() || !life.world.hasHash()) {
            return;
        }
        Check same = life.trial.check(Promise.SAME_AGAIN);
        try {
            ReplayResult result = InputLog.open(log).repeat(() -> again(life.run.newWorld()));
            same.that(result.outcome() == ReplayResult.Outcome.RAN_THROUGH, () -> result.text() + " in " + log);
        } catch (IOException | RuntimeException | AssertionError | LinkageError e) {
            same.broken("the log " + log + " cannot be run again: " + e);
        }
        if (same.broken() > 0 && life.trial.planted() == null) {
            life.keepFolder(); // the report names a file in this folder
        }
    }

    private Simulation again(Simulation world) {
        boolean planted = life.trial.isPlanted(Promise.SAME_AGAIN);
        return new StressedSimulation(world) {
            @Override
            public long hash() {
                return planted ? ~super.hash() : super.hash();
            }
        };
    }
}
