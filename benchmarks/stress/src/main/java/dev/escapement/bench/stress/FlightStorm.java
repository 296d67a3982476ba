package dev.escapement.bench.stress;

import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.replay.flight.FlightRecorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Runs a flight recorder. If the world fails, keeps the recorder's file. */
final class FlightStorm implements Part {

    private static final long MAX_BYTES = 16L << 20;

    private final Life life;
    private final Path folder;
    private final FlightRecorder recorder;

    FlightStorm(Life life) {
        this.life = life;
        folder = life.folder.resolve("flight");
        recorder = FlightRecorder.in(folder, life.description()).maxBytes(MAX_BYTES);
    }

    @Override
    public void join(PhysicsServiceBuilder builder) {
        builder.with(recorder);
    }

    @Override
    public void stopped() {
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(file -> file.toString().endsWith(".esclog"))
                    .max(Comparator.comparingLong(file -> file.toFile().lastModified()))
                    .ifPresent(life::keepIfFailed);
        } catch (IOException none) {
            // There is no folder of files, because the recorder had no room for one.
        }
    }

    @Override
    public void check() {
        recorder.failure().ifPresent(failed -> RecordingStorm.ended(life, "the flight recorder", failed));
    }
}
