package dev.escapement.state.time;

/**
 * The monotonic clock that all instants are read from. Any thread may read it.
 *
 * @see ManualClock
 */
@FunctionalInterface
public interface NanoClock {

    /**
     * Reads the clock.
     *
     * @return nanoseconds since an arbitrary origin, never decreasing; compare instants by difference only
     */
    long nanoTime();

    /**
     * The clock of the running JVM.
     *
     * @return {@link System#nanoTime()}
     */
    static NanoClock system() {
        return System::nanoTime;
    }
}
