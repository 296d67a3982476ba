package dev.escapement.physics.replay.flight;

/** Lets a recorder of a driver that runs faster than any other thread have each file when its time has come. */
public final class PunctualKeeper {

    private PunctualKeeper() {}

    /** Returns the recorder, which prepares its files on the thread that ticks. */
    public static FlightRecorder of(FlightRecorder recorder) {
        recorder.preparing = Runnable::run;
        return recorder;
    }
}
