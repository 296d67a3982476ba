package dev.escapement.state.thread;

/**
 * What the system has counted for one thread: how long it waited for a core, and how long it ran on one. What is neither was sleep: the
 * thread had nothing to do, waited for a lock or a device, or the JVM had stopped it.
 *
 * <pre>{@code
 * ThreadTimes times = ThreadTimes.ofCallingThread();
 * long waitedBefore = times.waitedNanos();
 * work();
 * long waitedNanos = times.waitedNanos() - waitedBefore; // other threads had the core
 * }</pre>
 *
 * <p>Linux counts both; elsewhere only the second is known. A thread with real-time priority that is throttled
 * ({@code kernel.sched_rt_runtime_us}) waits, too, although it caused that itself.
 *
 * <p>Only the thread for which it was opened reads it. Reading allocates nothing, and takes about a microsecond for each method; the first
 * {@link #ranNanos()} of a JVM takes some tens of milliseconds.
 */
@FunctionalInterface
public interface ThreadTimes extends AutoCloseable {

    /** What is returned, always, of a time that is not counted: differences are 0. */
    long NOT_COUNTED = -1;

    /** {@return how long the thread was ready to run and had no core, in nanoseconds since it was started; never falls} */
    long waitedNanos();

    /** {@return how long the thread ran, in nanoseconds since it was started; never falls} */
    default long ranNanos() {
        return NOT_COUNTED;
    }

    /** Ends the reading. Idempotent. The thread itself, or any after its end. */
    @Override
    default void close() {}

    /** {@return the times of the calling thread} */
    static ThreadTimes ofCallingThread() {
        return new SystemThreadTimes(SystemThreadTimes.SCHEDSTAT);
    }

    /** {@return times of which none is counted} */
    static ThreadTimes notCounted() {
        return () -> NOT_COUNTED;
    }
}
