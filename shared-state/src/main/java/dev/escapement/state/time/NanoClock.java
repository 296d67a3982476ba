package dev.escapement.state.time;

/**
 * The monotonic clock of all instants. Any thread may read it.
 *
 * @see ManualClock
 */
@FunctionalInterface
public interface NanoClock {

    /** {@return nanoseconds since an arbitrary origin, never decreasing; compare instants by difference only} */
    long nanoTime();

    /** {@return the clock of the running JVM, {@link System#nanoTime()}} */
    static NanoClock system() {
        return System::nanoTime;
    }
}
