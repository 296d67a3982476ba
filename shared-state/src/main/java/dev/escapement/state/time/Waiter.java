package dev.escapement.state.time;

import java.util.concurrent.locks.LockSupport;

/**
 * How a {@link Pacer} parks and spins. Tests replace it by one that moves a manual clock.
 *
 * @see Pacer
 */
public interface Waiter {

    /**
     * Parks the thread for about a given time. May return early or late.
     *
     * @param nanos how long, positive
     */
    void park(long nanos);

    /** Passes a moment without yielding the core. */
    void spin();

    /**
     * Parks and spins the current thread.
     *
     * @return {@link LockSupport#parkNanos(long)} and {@link Thread#onSpinWait()}
     */
    static Waiter system() {
        return SystemWaiter.INSTANCE;
    }
}
