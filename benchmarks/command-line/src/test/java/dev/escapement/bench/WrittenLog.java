package dev.escapement.bench;

import dev.escapement.bench.demo.SeededWorld;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.simulation.Simulation;
import java.io.IOException;
import java.nio.file.Path;

/** Writes logs of worlds as the main job does, on a manual clock. */
final class WrittenLog {

    private WrittenLog() {}

    /** Returns the main job's description of a run of springs. */
    static RunDescription springs(int bodies) {
        return new RunDescription("spring", "2", bodies + " bodies", 0, SeededWorld.RATE);
    }

    /** Runs some ticks with pushed bodies, and writes their log. */
    static Path write(Path file, RunDescription run, Simulation simulation, int ticks) throws IOException {
        try (Recording recording = Recording.create(file, run);
                SeededWorld world = new SeededWorld(simulation, 5, builder -> builder.with(recording))) {
            world.run(1, ticks);
        }
        return file;
    }
}
