package dev.escapement.bench.stress;

import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.replay.flight.FlightRecorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A flight recorder, whose file of a failed world is kept. */
final class FlightStorm implements Part {

    private static final long MAX_BYTES = 16L << 20;

    private final Life life;
    private final Path folder;
    private final FlightRecorder recorder;

    private FlightStorm(Life life) {
        this.life = life;
        folder = life.folder.resolve("flight");
        recorder = FlightRecorder.in(folder, life.description()).maxBytes(MAX_BYTES);
    }

    static Part of(Life life) {
        // Only a tick shows whether the world has a hash: from the second life on it is known.
        return life.trial.isLeftOut(StormPart.FLIGHT_RECORDER) ? Part.NONE : new FlightStorm(life);
    }

    @Override
    public void join(PhysicsServiceBuilder builder) {
        builder.with(recorder);
    }

    @Override
    public void stopped() {
        if (!life.world.hasHash()) {
            life.trial.leftOut(StormPart.FLIGHT_RECORDER, "the world has no hash(), with which two runs are compared");
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(file -> file.toString().endsWith(".esclog"))
                    .max(Comparator.comparingLong(file -> file.toFile().lastModified()))
                    .ifPresent(life::keepIfFailed);
        } catch (IOException none) {
            // It had no room for a file.
        }
    }

    @Override
    public void check() {
        recorder.failure().ifPresent(failed -> RecordingStorm.ended(life, "the flight recorder", failed));
    }
}
