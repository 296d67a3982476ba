package dev.escapement.state.time;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Waits for absolute deadlines: parks until shortly before, then spins, or parks only ({@link Pacing}).
 *
 * <p>Operating systems wake a parked thread late (Linux adds 50 us of timer slack and the wake-up itself). The margin
 * before the deadline at which parking ends is learned from that oversleep: a late wake-up raises it at once by half of
 * what was missing, every timely one lowers it by 1/64 of what was spare. It stays within
 * {@value #MIN_MARGIN_NANOS} and {@value #MAX_MARGIN_NANOS} ns. Where the core is lost to others while spinning, because all are
 * busy, waits only park for a while.
 *
 * <p><b>The share of a core.</b> Each wait spins at most a share ({@value #DEFAULT_SPIN_SHARE} unless told otherwise) of the time
 * from the latest deadline before it to its own, at first from when the pacer was made. So however short the periods are, at most
 * that share of a core is spun. Where the share of a period is less than the timer oversleeps, waits end late by the difference.
 *
 * <p><b>Threads.</b> One thread at a time awaits. Any thread may {@link #cancel()}.
 *
 * @see Pacing
 */
public final class Pacer {

    /** The share of a core that is spun at most, if nothing else is asked for: 0.2 ms of every 10. */
    public static final double DEFAULT_SPIN_SHARE = 0.02;

    static final long MIN_MARGIN_NANOS = 20_000;
    static final long MAX_MARGIN_NANOS = 250_000;
    private static final long FIRST_MARGIN_NANOS = 100_000;

    private final NanoClock clock;
    private final Waiting waiting;
    private final boolean spins;
    private final double spinShare;
    private final SpinBackoff backoff = new SpinBackoff();
    private long marginNanos;
    private long latestDeadlineNanos;

    // Volatile all: cancel() and signal() store their flag before they read the waiter, the waiter stores itself before
    // it reads the flags. One of them sees the other, so neither is ever slept through.
    private volatile boolean cancelled;
    private volatile boolean signalled;
    private volatile @Nullable Thread waiter;

    /**
     * Creates a pacer that parks, then spins.
     *
     * @param clock   what deadlines are measured by
     * @param waiting how time is passed
     */
    public Pacer(NanoClock clock, Waiting waiting) {
        this(clock, waiting, Pacing.PARK_THEN_SPIN);
    }

    /**
     * Creates a pacer.
     *
     * @param clock   what deadlines are measured by
     * @param waiting how time is passed
     * @param pacing  whether the last of a wait is spun
     */
    public Pacer(NanoClock clock, Waiting waiting, Pacing pacing) {
        this(clock, waiting, pacing, DEFAULT_SPIN_SHARE);
    }

    /**
     * Creates a pacer that spins more or less than others.
     *
     * @param clock     what deadlines are measured by
     * @param waiting   how time is passed
     * @param pacing    whether the last of a wait is spun
     * @param spinShare the share of a core that is spun at most, 0 to 1
     * @throws IllegalArgumentException if the share is outside of its range
     */
    public Pacer(NanoClock clock, Waiting waiting, Pacing pacing, double spinShare) {
        if (!(spinShare >= 0 && spinShare <= 1)) {
            throw new IllegalArgumentException(
                    "the share of a core to spin must be within 0 and 1, but is " + spinShare);
        }
        this.clock = clock;
        this.waiting = waiting;
        this.spinShare = spinShare;
        spins = pacing == Pacing.PARK_THEN_SPIN && spinShare > 0;
        marginNanos = spins ? FIRST_MARGIN_NANOS : 0;
        latestDeadlineNanos = clock.nanoTime();
    }

    /**
     * A pacer on the running JVM's clock.
     *
     * @return a new pacer
     */
    public static Pacer system() {
        return new Pacer(NanoClock.system(), Waiting.system());
    }

    /**
     * Returns at the deadline or as soon as possible after it, or at once when cancelled. Never returns early otherwise,
     * not when interrupted either; the interrupt stays pending.
     *
     * @param deadlineNanos an instant of the clock, past instants return at once
     * @return false if this pacer was cancelled
     */
    public boolean awaitUntil(long deadlineNanos) {
        waiter = Thread.currentThread();
        boolean interrupted = false;
        try {
            // What is learned now is for the next wait: else a rest of it would be parked for.
            long most = mostSpinNanos(deadlineNanos);
            long margin = spins && backoff.maySpin() ? Math.min(marginNanos, most) : 0;
            long remaining = 0;
            boolean spun = false;
            while (!cancelled && (remaining = deadlineNanos - clock.nanoTime()) > 0) {
                if (remaining > margin) {
                    parkFor(remaining - margin);
                    // A pending interrupt would end every further park at once: this would spin without end.
                    interrupted |= Thread.interrupted();
                } else {
                    waiting.spin();
                    spun = true;
                }
            }
            if (spun) {
                backoff.spun(-remaining);
            }
            return !cancelled;
        } finally {
            waiter = null;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Waits until another thread {@link #signal() signals}, or returns at once if one has since the last call. Never spins. An
     * interrupt stays pending.
     *
     * @param mostNanos how long at most, about
     * @return false if this pacer was cancelled
     */
    public boolean awaitSignal(long mostNanos) {
        waiter = Thread.currentThread();
        boolean interrupted = false;
        long deadlineNanos = clock.nanoTime() + mostNanos;
        try {
            long remaining = mostNanos;
            while (!cancelled && !signalled && remaining > 0) {
                waiting.park(remaining);
                interrupted |= Thread.interrupted();
                remaining = deadlineNanos - clock.nanoTime();
            }
            signalled = false;
            return !cancelled;
        } finally {
            waiter = null;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ends the current or the next {@link #awaitSignal}. Any thread may call this. */
    public void signal() {
        signalled = true;
        unparkWaiter();
    }

    /** Ends the current and every further wait. Any thread may call this, more than once. */
    public void cancel() {
        cancelled = true;
        unparkWaiter();
    }

    private void unparkWaiter() {
        Thread parked = waiter;
        if (parked != null) {
            LockSupport.unpark(parked);
        }
    }

    /**
     * Whether this pacer was cancelled.
     *
     * @return whether no wait lasts any more
     */
    public boolean isCancelled() {
        return cancelled;
    }

    /**
     * How long before a deadline spinning starts, as learned so far, where the share allows it. Only the waiting thread may ask.
     *
     * @return nanoseconds, 0 if this pacer never spins
     */
    public long marginNanos() {
        return marginNanos;
    }

    /** Counts from the latest deadline and not from the last, so that no time is spun for twice where deadlines go back. */
    private long mostSpinNanos(long deadlineNanos) {
        long gainedNanos = deadlineNanos - latestDeadlineNanos;
        if (gainedNanos <= 0) {
            return 0;
        }
        latestDeadlineNanos = deadlineNanos;
        return (long) (spinShare * gainedNanos);
    }

    private void parkFor(long nanos) {
        long wakeNanos = clock.nanoTime() + nanos;
        waiting.park(nanos);
        long oversleptNanos = clock.nanoTime() - wakeNanos;
        if (!spins || oversleptNanos < 0) {
            return; // there is no margin to learn; or woken early, which says nothing about the timer
        }
        long spareNanos = marginNanos - oversleptNanos;
        long learned = spareNanos < 0 ? marginNanos - spareNanos / 2 : marginNanos - spareNanos / 64;
        marginNanos = Math.min(MAX_MARGIN_NANOS, Math.max(MIN_MARGIN_NANOS, learned));
    }
}
