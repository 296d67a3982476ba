package dev.escapement.physics.sdl;

import dev.escapement.state.time.NanoClock;
import java.util.function.LongSupplier;

/**
 * Converts SDL's time stamps into instants of the service's clock.
 *
 * <p>Each calibration reads the clock, SDL's time, and the clock again. The true offset between the clock and SDL's time lies within that
 * bracket. The offset in use changes only when a bracket proves it wrong, and then as little as necessary. So a suspended thread does no
 * harm, the error is bounded by the width of a bracket, and the offset follows a drift between the clocks (on Linux, network time slews the
 * JVM's clock but not SDL's).
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
        long max = afterNanos - atNanos;
        if (offsetNanos - least < 0) {
            offsetNanos = least;
        } else if (offsetNanos - max > 0) {
            offsetNanos = max;
        }
        latestNanos = afterNanos;
    }

    /**
     * Converts a time stamp to an instant, by the last calibration. The instant is at most that of the calibration, because the stamp of an
     * event that has happened cannot lie in the future.
     */
    long toClock(long stampNanos) {
        long nanos = stampNanos + offsetNanos;
        return nanos - latestNanos > 0 ? latestNanos : nanos;
    }

    long latestNanos() {
        return latestNanos;
    }
}
