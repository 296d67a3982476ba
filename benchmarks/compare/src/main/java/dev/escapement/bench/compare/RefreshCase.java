package dev.escapement.bench.compare;

import dev.escapement.state.time.TickRate;

enum RefreshCase {
    FPS_60(100, 60),
    FPS_144(100, 144),
    FPS_240(100, 240),
    /** A display and a loop whose rates nearly agree: 60 ticks at 55 frames a second, so every eleventh frame has two ticks. */
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

    /** Returns the first slot of the display at or after {@code completedNanos}, in which a frame completed then is displayed. */
    long slotNanos(long completedNanos) {
        return display().nanosAt(display().tickAt(completedNanos - 1) + 1);
    }

    /** The name in tables, for example "144 fps", with the tick rate if it is not 100 Hz. */
    @Override
    public String toString() {
        String frames = framesPerSecond + " fps";
        return this == FPS_55_AT_60_HZ ? frames + " at " + tickHertz + " Hz" : frames;
    }
}
