package dev.escapement.state.thread;

/**
 * Counts the time that one thread waited for a core, and the time that it ran on one. The rest was sleep: the thread had nothing to do,
 * waited for a lock or a device, or the JVM had stopped it.
 *
 * <pre>{@code
 * ThreadTimes times = ThreadTimes.ofCallingThread();
 * long waitedBefore = times.waitedNanos();
 * work();
 * long waitedNanos = times.waitedNanos() - waitedBefore; // other threads had the core
 * }</pre>
 *
 * <p>Linux counts both; elsewhere only the running time is known, and that only with the module {@code java.management}. A thread with
 * real-time priority also waits while the kernel throttles it for running too long ({@code kernel.sched_rt_runtime_us}).
 *
 * <p>Only the thread that called {@link #ofCallingThread} reads its times. Reading allocates nothing, and takes about a microsecond for
 * each method; the first {@link #ranNanos()} of a JVM takes some tens of milliseconds.
 */
@FunctionalInterface
public interface ThreadTimes extends AutoCloseable {

    /** The value of a time that the system does not count. It never changes, so differences are 0. */
    long NOT_COUNTED = -1;

    /** {@return nanoseconds since its start that the thread was runnable without a core; never decreases} */
    long waitedNanos();

    /** {@return nanoseconds since its start that the thread ran; never decreases} */
    default long ranNanos() {
        return NOT_COUNTED;
    }

    /** Ends the reading. Idempotent. For the thread itself, or any thread after its end. */
    @Override
    default void close() {}

    /** {@return the times of the calling thread} */
    static ThreadTimes ofCallingThread() {
        return new SystemThreadTimes(SystemThreadTimes.SCHEDSTAT);
    }

    /** {@return times that count nothing} */
    static ThreadTimes notCounted() {
        return () -> NOT_COUNTED;
    }
}
