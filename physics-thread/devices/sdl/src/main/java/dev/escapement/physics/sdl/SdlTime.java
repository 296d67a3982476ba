package dev.escapement.physics.sdl;

import dev.escapement.state.time.NanoClock;
import java.util.function.LongSupplier;

/**
 * Turns SDL's time stamps into instants of the service's clock.
 *
 * <p>Each calibration reads the clock, SDL's time, and the clock again: the true offset between the two lies within that bracket. The
 * offset in use moves only when a bracket proves it wrong, and then as little as it has to. So a reading that was interrupted
 * does no harm, the error is bounded by the width of a bracket, and two clocks that run apart (SDL's on Linux is not slewed to the
 * network's time, the JVM's is) are followed.
 *
 * <p>Physics thread only, once constructed.
 */
final class SdlTime {

    private final NanoClock clock;
    private final LongSupplier sdlNanos;
    private long offsetNanos;
    private long latestNanos;

    SdlTime(NanoClock clock, LongSupplier sdlNanos) {
        this.clock = clock;
        this.sdlNanos = sdlNanos;
        latestNanos = clock.nanoTime();
        offsetNanos = latestNanos - sdlNanos.getAsLong();
    }

    void calibrate() {
        long beforeNanos = clock.nanoTime();
        long atNanos = sdlNanos.getAsLong();
        long afterNanos = clock.nanoTime();
        long least = beforeNanos - atNanos;
        long most = afterNanos - atNanos;
        if (offsetNanos - least < 0) {
            offsetNanos = least;
        } else if (offsetNanos - most > 0) {
            offsetNanos = most;
        }
        latestNanos = afterNanos;
    }

    /** When that was, as exactly as the last calibration knew, and not after it: a driver may be wrong, but nothing is yet to come. */
    long toClock(long stampNanos) {
        long nanos = stampNanos + offsetNanos;
        return nanos - latestNanos > 0 ? latestNanos : nanos;
    }

    /** When the last calibration was. */
    long latestNanos() {
        return latestNanos;
    }
}
