package dev.escapement.state.time;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Waits for absolute deadlines: parks until shortly before, then spins; or only parks ({@link WaitStrategy}).
 *
 * <p><b>The margin.</b> Operating systems wake a parked thread late (Linux adds 50 us of timer slack and the wake-up itself). So parking
 * ends a margin before the deadline. The pacer learns the margin, within {@value #MIN_MARGIN_NANOS} and
 * {@value #MAX_MARGIN_NANOS} ns: a wake-up after the deadline raises it by half of the excess, a timely one lowers it by 1/64 of the unused
 * part.
 *
 * <p><b>Lost cores.</b> A scheduler may take a contended core from a spinning thread for a time slice of milliseconds. A parked thread gets
 * a core immediately when it wakes. So after the thread has lost its core twice within {@value #CALM_SPINS} spins, its next
 * {@value #FIRST_WAITS} waits only park; after each further loss twice as many, up to {@value #MAX_WAITS}. Spinning then makes fewer than
 * one wait in a hundred late.
 *
 * <p><b>The share of a core.</b> Each wait spins at most {@value #SPIN_SHARE} of the time since the latest earlier deadline; for the
 * first wait, since the construction of the pacer. So spinning takes at most that share of a core, however short the periods are. If
 * the share of a period is shorter than the timer's oversleep, waits end late by the difference.
 *
 * <p><b>Threads.</b> One thread at a time awaits. Any thread may {@link #signal()} and {@link #cancel()}.
 *
 * @see WaitStrategy
 */
public final class Pacer {

    /**
     * Switches whether the calling thread takes the core from a running thread when it wakes, or queues behind that thread. The pacer calls
     * it twice a wait, so it must allocate nothing.
     *
     * @see Pacer#adapt
     */
    @FunctionalInterface
    public interface WakeupPreemption {

        /**
         * Allows preemption, as usual, or forbids it until the next call.
         *
         * @param allowed whether the thread takes the core when it wakes
         */
        void allow(boolean allowed);
    }

    static final double SPIN_SHARE = 0.02;

    static final long MIN_MARGIN_NANOS = 20_000;
    static final long MAX_MARGIN_NANOS = 250_000;
    private static final long FIRST_MARGIN_NANOS = 100_000;

    /**
     * The step by which the margin changes if {@link #adapt} limits spinning. A late wake-up raises the margin by three steps, a timely one
     * lowers it by one step. So three waits of four wake in time, however long the longest oversleep is.
     */
    private static final long STEP_NANOS = 1000;

    /** A thread whose spin ends this long after the deadline has lost its core. */
    static final long LOST_NANOS = 100_000;

    static final int CALM_SPINS = 100;
    static final int FIRST_WAITS = 256;
    static final int MAX_WAITS = 1024;

    private final NanoClock clock;
    private final Waiter waiter;
    private final boolean spins;
    private long marginNanos;
    private long maxSpinNanos = Long.MAX_VALUE;
    private @Nullable QueuedWait queuedWait;
    private long latestDeadlineNanos;
    private int spinsSinceLoss = CALM_SPINS;
    private int nextParkedWaits = FIRST_WAITS;
    private int parkedWaits;

    // Volatile, in a total order: cancel() and signal() store their flag before they read waitingThread. The waiting
    // thread stores itself before it reads the flags. So at least one of the two sees what the other stored. With
    // weaker accesses a thread could park while its waker finds nobody to unpark.
    private volatile boolean cancelled;
    private volatile boolean signalled;
    private volatile @Nullable Thread waitingThread;

    /**
     * Creates a pacer.
     *
     * @param clock        the clock of the deadlines
     * @param waiter       parks and spins
     * @param waitStrategy whether to spin at the end of a wait
     */
    public Pacer(NanoClock clock, Waiter waiter, WaitStrategy waitStrategy) {
        this.clock = clock;
        this.waiter = waiter;
        spins = waitStrategy == WaitStrategy.PARK_THEN_SPIN;
        marginNanos = spins ? FIRST_MARGIN_NANOS : 0;
        latestDeadlineNanos = clock.nanoTime();
    }

    /**
     * Adapts the waits to the grants of the operating system ({@code ThreadGrants}). For the waiting thread,
     * between waits.
     *
     * @param maxSpinNanos the longest spin before a deadline, positive; a wait that spins longer lowers the margin
     * @param preemption   makes waits queue for a contended core {@value QueuedWait#LEAD_NANOS} ns before the deadline, and then park
     *         again. So the scheduler owes the thread that time when its work begins. Null to park once
     */
    public void adapt(long maxSpinNanos, @Nullable WakeupPreemption preemption) {
        this.maxSpinNanos = maxSpinNanos;
        queuedWait = preemption == null ? null : new QueuedWait(clock, preemption);
    }

    /**
     * Waits until the deadline, or until a thread cancels this pacer. An interrupt does not end the wait, and stays pending.
     *
     * @param deadlineNanos an instant of the clock; if it is past, this returns immediately
     * @return false if this pacer was cancelled
     */
    public boolean awaitUntil(long deadlineNanos) {
        return awaitDeadline(deadlineNanos, false);
    }

    /**
     * Waits as {@link #awaitUntil} does, or until a thread {@link #signal() signals}; returns immediately after a signal since the last
     * call.
     *
     * @param deadlineNanos an instant of the clock
     * @return false if this pacer was cancelled
     */
    public boolean awaitUntilOrSignal(long deadlineNanos) {
        boolean continues = awaitDeadline(deadlineNanos, true);
        signalled = false;
        long nowNanos = clock.nanoTime();
        if (nowNanos - latestDeadlineNanos < 0) { // a signal came before the deadline
            latestDeadlineNanos = nowNanos;
        }
        return continues;
    }

    private boolean awaitDeadline(long deadlineNanos, boolean forSignal) {
        if (queuedWait != null && queuedWait.queuesBefore(deadlineNanos)) {
            queuedWait.begin();
            await(deadlineNanos - QueuedWait.LEAD_NANOS, 0, forSignal, false);
            queuedWait.end(deadlineNanos);
        }
        long max = spinShareNanos(deadlineNanos);
        long margin = spins && maySpin() ? Math.min(marginNanos, max) : 0;
        return await(deadlineNanos, margin, forSignal, true);
    }

    /**
     * Waits until a thread {@link #signal() signals}; returns immediately after a signal since the last call. Never spins. An interrupt
     * does not end the wait, and stays pending.
     *
     * @param maxNanos the longest wait, approximately
     * @return false if this pacer was cancelled
     */
    public boolean awaitSignal(long maxNanos) {
        boolean continues = await(clock.nanoTime() + maxNanos, 0, true, false);
        signalled = false;
        return continues;
    }

    /**
     * Waits with a fixed margin. If it could shrink during a wait, the thread would park once more for a short rest.
     *
     * @param learns whether wake-ups change the margin of later waits; false if nothing is due at the end of this wait
     */
    private boolean await(long deadlineNanos, long margin, boolean forSignal, boolean learns) {
        waitingThread = Thread.currentThread();
        boolean interrupted = false;
        boolean hasSpun = false;
        long remaining = 0;
        try {
            while (!cancelled && !(forSignal && signalled) && (remaining = deadlineNanos - clock.nanoTime()) > 0) {
                if (remaining > margin) {
                    if (learns) {
                        parkFor(remaining - margin);
                    } else {
                        waiter.park(remaining);
                    }
                    // A pending interrupt would end every further park immediately, so this loop would spin.
                    interrupted |= Thread.interrupted();
                } else {
                    waiter.spin();
                    hasSpun = true;
                }
            }
            if (hasSpun) {
                spun(-remaining);
            }
            return !cancelled;
        } finally {
            waitingThread = null;
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ends the current or the next {@link #awaitSignal} or {@link #awaitUntilOrSignal}. Any thread may call this. */
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
        Thread parked = waitingThread;
        if (parked != null) {
            LockSupport.unpark(parked);
        }
    }

    /** {@return whether a thread has cancelled this pacer, so that every wait returns immediately} */
    public boolean isCancelled() {
        return cancelled;
    }

    boolean maySpin() {
        if (parkedWaits > 0) {
            parkedWaits--;
            return false;
        }
        return true;
    }

    void spun(long lateNanos) {
        if (lateNanos < LOST_NANOS) {
            spinsSinceLoss++;
            if (spinsSinceLoss >= CALM_SPINS) {
                spinsSinceLoss = CALM_SPINS;
                nextParkedWaits = FIRST_WAITS;
            }
            return;
        }
        if (spinsSinceLoss < CALM_SPINS) {
            parkedWaits = nextParkedWaits;
            nextParkedWaits = Math.min(MAX_WAITS, 2 * nextParkedWaits);
        }
        spinsSinceLoss = 0;
    }

    long marginNanos() {
        return marginNanos;
    }

    /**
     * Returns how long a wait may spin: a share of the time since the latest of all earlier deadlines. Counted from the previous deadline,
     * the same time would count twice when deadlines go back.
     */
    private long spinShareNanos(long deadlineNanos) {
        long gainedNanos = deadlineNanos - latestDeadlineNanos;
        if (gainedNanos <= 0) {
            return 0;
        }
        latestDeadlineNanos = deadlineNanos;
        return (long) (SPIN_SHARE * gainedNanos);
    }

    private void parkFor(long nanos) {
        long wakeNanos = clock.nanoTime() + nanos;
        waiter.park(nanos);
        long oversleptNanos = clock.nanoTime() - wakeNanos;
        if (!spins || oversleptNanos < 0) {
            return; // an early wake-up says nothing about the margin
        }
        long spareNanos = marginNanos - oversleptNanos;
        long learned;
        if (maxSpinNanos < MAX_MARGIN_NANOS) {
            learned = spareNanos < 0
                    ? marginNanos + 3 * STEP_NANOS
                    : Math.min(marginNanos - STEP_NANOS, oversleptNanos + maxSpinNanos);
        } else {
            learned = spareNanos < 0 ? marginNanos - spareNanos / 2 : marginNanos - spareNanos / 64;
        }
        marginNanos = Math.min(MAX_MARGIN_NANOS, Math.max(MIN_MARGIN_NANOS, learned));
    }
}
