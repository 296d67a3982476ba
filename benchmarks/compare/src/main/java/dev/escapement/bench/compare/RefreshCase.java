package dev.escapement.bench.compare;

import dev.escapement.state.time.TickRate;

enum RefreshCase {
    FPS_60(100, 60),
    FPS_144(100, 144),
    FPS_240(100, 240),
    /** Rates that nearly agree: every eleventh frame has two ticks. */
    FPS_55_AT_60_HZ(60, 55);

    private final long tickHertz;
    private final long framesPerSecond;

    RefreshCase(long tickHertz, long framesPerSecond) {
        this.tickHertz = tickHertz;
        this.framesPerSecond = framesPerSecond;
    }

    TickRate tickRate() {
        return TickRate.hertz(tickHertz);
    }

    TickRate display() {
        return TickRate.hertz(framesPerSecond);
    }

    /** The first slot of the display not before an instant; it shows the frames completed by then. */
    long slotNanos(long completedNanos) {
        return display().nanosAt(display().tickAt(completedNanos - 1) + 1);
    }

    /** The name in tables: "144 fps", and the rate of the ticks where it is not the usual one. */
    @Override
    public String toString() {
        String frames = framesPerSecond + " fps";
        return this == FPS_55_AT_60_HZ ? frames + " at " + tickHertz + " Hz" : frames;
    }
}
