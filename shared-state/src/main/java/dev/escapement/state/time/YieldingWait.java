package dev.escapement.state.time;

/**
 * Yields at the beginning of a wait while other threads want the core. Linux credits a thread the time that it waits for a core, up to a
 * time slice, and keeps the credit while it sleeps; a thread without credit loses its core at the next tick of the kernel's clock, up to
 * 4 ms, in the middle of its next work. A thread that sleeps at once gets no credit. On an idle core it costs one yield a wait.
 *
 * <p>One thread.
 */
final class YieldingWait {

    /** A yield may last as long as a tick of the kernel's clock and a bit; the deadline must be later. */
    static final long MIN_LEFT_NANOS = 5_000_000;

    /** A yield that took this long waited for a tick of the kernel's clock: there is credit now. */
    static final long CREDITED_NANOS = 3_000_000;

    /** A yield that took this long found that another thread wanted the core. Less may be the host of a virtual machine. */
    static final long CONTENDED_NANOS = 500_000;

    /**
     * For so long after that, yields that return immediately are repeated: each gives up a slice, until the thread has to wait. A few waits
     * of usual rates, so that a core that is busy now and then costs little.
     */
    static final long CONTENDED_FOR_NANOS = 50_000_000;

    static final int MAX_YIELDS = 40;

    private final NanoClock clock;
    private final Waiter waiter;
    private long contendedUntilNanos;

    YieldingWait(NanoClock clock, Waiter waiter) {
        this.clock = clock;
        this.waiter = waiter;
        contendedUntilNanos = clock.nanoTime();
    }

    void yieldBefore(long deadlineNanos) {
        long nowNanos = clock.nanoTime();
        for (int i = 0; i < MAX_YIELDS && deadlineNanos - nowNanos > MIN_LEFT_NANOS; i++) {
            long beforeNanos = nowNanos;
            waiter.yieldCore();
            nowNanos = clock.nanoTime();
            long waitedNanos = nowNanos - beforeNanos;
            if (waitedNanos > CREDITED_NANOS) {
                return;
            }
            if (waitedNanos > CONTENDED_NANOS) {
                contendedUntilNanos = nowNanos + CONTENDED_FOR_NANOS;
            } else if (nowNanos - contendedUntilNanos >= 0) {
                return;
            }
        }
    }
}
