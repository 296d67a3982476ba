package dev.escapement.bench;

import dev.escapement.bench.demo.PushControls;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.nio.file.Path;

/** Writes logs of springs and other worlds as the main job does, on a manual clock. */
public final class WrittenLog {

    private static final TickRate RATE = TickRate.hertz(100);

    private WrittenLog() {}

    /** Returns the main job's description of a run of springs. */
    public static RunDescription springs(int bodies) {
        return new RunDescription("spring", "2", bodies + " bodies", 0, RATE);
    }

    /** Runs some ticks, each with a pushed body, and writes their log. */
    public static Path write(Path file, RunDescription run, Simulation simulation, int ticks) throws IOException {
        ManualClock clock = new ManualClock(0);
        try (Recording recording = Recording.create(file, run);
                InlineDriver driver =
                        PhysicsService.builder(simulation).with(recording).inline(clock)) {
            for (int tick = 1; tick <= ticks; tick++) {
                driver.input().offer(clock.nanoTime() + 1, InputKind.APPLICATION, PushControls.PUSH_ONE, tick % 5, 1);
                clock.advance(RATE.nanosAt(1));
                driver.runDueTicks();
            }
        }
        return file;
    }
}
