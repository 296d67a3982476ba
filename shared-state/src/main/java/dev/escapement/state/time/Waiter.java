package dev.escapement.state.time;

import java.util.concurrent.locks.LockSupport;

/**
 * Parks and spins for a {@link Pacer}. Tests replace it by one that moves a manual clock.
 *
 * @see Pacer
 */
public interface Waiter {

    /**
     * Parks the thread for about a given time. May return early or late.
     *
     * @param nanos the time, positive
     */
    default void park(long nanos) {
        LockSupport.parkNanos(nanos);
    }

    /** Spins for a moment without yielding the core. */
    default void spin() {
        Thread.onSpinWait();
    }

    /** {@return a waiter that parks and spins the current thread} */
    static Waiter system() {
        return new Waiter() {};
    }
}
