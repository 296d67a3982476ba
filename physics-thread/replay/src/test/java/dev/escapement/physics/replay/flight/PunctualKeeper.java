package dev.escapement.physics.replay.flight;

import java.util.concurrent.CompletableFuture;

/** Makes a recorder wait for its prepared files. A driver on a manual clock runs faster than the keeper's thread. */
public final class PunctualKeeper {

    private PunctualKeeper() {}

    public static FlightRecorder of(FlightRecorder recorder) {
        recorder.preparing =
                task -> CompletableFuture.runAsync(task, recorder.keeper).join();
        return recorder;
    }
}
