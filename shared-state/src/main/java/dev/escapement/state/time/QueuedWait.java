package dev.escapement.state.time;

/**
 * Decides when a wait should wake well before its deadline and queue for the core.
 *
 * <p>Linux credits a thread the time that it waits for a core while it could run, and keeps the credit while the thread sleeps. A thread
 * without credit loses its core in the middle of its next work: at a tick of the kernel's clock, for up to 4 ms. A thread that sleeps until
 * its deadline gets no credit. A thread that wakes early and takes the core gets none either, so the waiting thread wakes without
 * preemption.
 *
 * <p>One thread.
 */
final class QueuedWait {

    /**
     * The lead before a deadline: a little more than the time between two ticks of the kernel's clock, because a busy core comes free at
     * such a tick.
     */
    static final long LEAD_NANOS = 5_000_000;

    /**
     * A core is contended if the thread got it later than this after its wake-up. A shorter delay may come from the host of a virtual
     * machine.
     */
    static final long CONTENDED_NANOS = 500_000;

    /** For this long after contention, every wait queues for the core. */
    static final long CONTENDED_FOR_NANOS = 1_000_000_000;

    /**
     * Without contention, one in this many waits queues, as a probe. Odd, because the kernel ticks at 250 or 1000 Hz, and an even number of
     * usual periods is a multiple of its ticks. With an even number, all probes would begin equally long after a kernel tick, perhaps
     * always shortly before the next one.
     */
    static final int WAITS_BETWEEN_PROBES = 7;

    private final NanoClock clock;
    private final Pacer.WakeupPreemption preemption;
    private long contendedUntilNanos;
    private int waitsSinceProbe;

    QueuedWait(NanoClock clock, Pacer.WakeupPreemption preemption) {
        this.clock = clock;
        this.preemption = preemption;
        contendedUntilNanos = clock.nanoTime();
    }

    boolean queuesBefore(long deadlineNanos) {
        long nowNanos = clock.nanoTime();
        if (deadlineNanos - nowNanos <= LEAD_NANOS) {
            return false;
        }
        if (contendedUntilNanos - nowNanos > 0) {
            return true;
        }
        waitsSinceProbe = (waitsSinceProbe + 1) % WAITS_BETWEEN_PROBES;
        return waitsSinceProbe == 0;
    }

    /** Forbids preemption. Call it before the thread sleeps until {@link #LEAD_NANOS} before the deadline. */
    void begin() {
        preemption.allow(false);
    }

    void end(long deadlineNanos) {
        preemption.allow(true);
        long nowNanos = clock.nanoTime();
        if (nowNanos - (deadlineNanos - LEAD_NANOS) > CONTENDED_NANOS) {
            contendedUntilNanos = nowNanos + CONTENDED_FOR_NANOS;
        }
    }
}
