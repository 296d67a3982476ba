package dev.escapement.physics.replay.flight;

import java.util.concurrent.CompletableFuture;

/** Lets a recorder of a driver that runs faster than any other thread have each file when its time has come. */
public final class PunctualKeeper {

    private PunctualKeeper() {}

    /** Returns the recorder, whose thread that ticks waits for the keeper. */
    public static FlightRecorder of(FlightRecorder recorder) {
        recorder.preparing =
                task -> CompletableFuture.runAsync(task, recorder.keeper).join();
        return recorder;
    }
}
