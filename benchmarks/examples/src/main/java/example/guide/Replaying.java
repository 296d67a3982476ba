package example.guide;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.flight.FlightRecorder;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.replay.log.ReplayResult;
import dev.escapement.physics.replay.log.Scrubber;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Records a run, replays it, and inspects it tick by tick. */
public final class Replaying {

    private Replaying() {}

    static void record(Path file, Simulation simulation, Consumer<PhysicsService> game) throws Exception {
        RunDescription run = new RunDescription("own", "1", "40 balls", 7, TickRate.hertz(100));
        try (Recording recording = Recording.create(file, run);
                PhysicsService physics =
                        PhysicsService.builder(simulation).with(recording).start()) {
            game.accept(physics); // runs the game, whose input the recording contains
        }
    }

    public static Optional<TickSource.Divergence> repeat(Path file, Simulation madeAlike) throws Exception {
        InputLog log = InputLog.open(file); // throws for a damaged file and says why and at which offset
        return log.repeat(() -> madeAlike).divergence(); // the first tick whose state differs; empty if none does
    }

    static PhysicsService fly(Path folder, Simulation simulation) {
        RunDescription run = new RunDescription("own", "1", "40 balls", 7, TickRate.hertz(100));
        return PhysicsService.builder(simulation)
                .with(FlightRecorder.in(folder, run))
                .start();
    }

    static ReplayResult.Outcome failure(Path file, Supplier<Simulation> madeAlike) throws Exception {
        // REPEATED if the failure happens again, RAN_THROUGH after the bug was fixed, INCOMPLETE if the end of the log
        // is lost.
        return InputLog.open(file).repeat(madeAlike).outcome();
    }

    static long halfway(Path file, Supplier<Simulation> madeAlike) throws Exception {
        InputLog log = InputLog.open(file);
        try (Scrubber scrubber = new Scrubber(log, madeAlike, PoseLayout.PLAIN)) {
            Snapshot snapshot = scrubber.goTo(log.ticks() / 2); // works forwards and backwards
            return snapshot.tick();
        }
    }
}
