package dev.escapement.state.time;

/**
 * When to wake well before a deadline and queue for the core. Linux credits a thread the time that it waits for a core while it could run,
 * and keeps the credit while it sleeps; a thread without credit loses its core at the next tick of the kernel's clock, up to 4 ms, in the
 * middle of its next work. A thread that sleeps until its deadline gets no credit. One that wakes early and takes the core gets none either,
 * so this wakes without preemption.
 *
 * <p>One thread.
 */
final class QueuedWait {

    /** How long before a deadline to wake: a tick of the kernel's clock, at which the core comes free, and a bit. */
    static final long LEAD_NANOS = 5_000_000;

    /** A thread that got its core this late found that another one wanted it. Less may be the host of a virtual machine. */
    static final long CONTENDED_NANOS = 500_000;

    /** For this long after that, each wait is a queued one. */
    static final long CONTENDED_FOR_NANOS = 1_000_000_000;

    /**
     * Without contention, one in this many waits is queued, as a probe. Odd, because the kernel ticks at 250 or 1000 Hz, and an even number
     * of usual periods is a multiple of its ticks: all would begin at the same place between two of them, perhaps shortly before one.
     */
    static final int WAITS_BETWEEN_PROBES = 7;

    private final NanoClock clock;
    private final Pacer.WakeupPreemption preemption;
    private long contendedUntilNanos;
    private int waitsUntilProbe;

    QueuedWait(NanoClock clock, Pacer.WakeupPreemption preemption) {
        this.clock = clock;
        this.preemption = preemption;
        contendedUntilNanos = clock.nanoTime();
    }

    /** Whether to queue before this deadline. Asked once for each. */
    boolean queuesBefore(long deadlineNanos) {
        long nowNanos = clock.nanoTime();
        if (deadlineNanos - nowNanos <= LEAD_NANOS) {
            return false;
        }
        if (contendedUntilNanos - nowNanos > 0) {
            return true;
        }
        waitsUntilProbe = (waitsUntilProbe + 1) % WAITS_BETWEEN_PROBES;
        return waitsUntilProbe == 0;
    }

    /** Called before the thread sleeps until the lead before the deadline. */
    void begin() {
        preemption.allow(false);
    }

    /** Called when the thread has its core again. */
    void end(long deadlineNanos) {
        preemption.allow(true);
        long nowNanos = clock.nanoTime();
        if (nowNanos - (deadlineNanos - LEAD_NANOS) > CONTENDED_NANOS) {
            contendedUntilNanos = nowNanos + CONTENDED_FOR_NANOS;
        }
    }
}
