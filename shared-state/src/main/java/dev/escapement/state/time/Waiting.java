package dev.escapement.state.time;

import java.util.concurrent.locks.LockSupport;

/**
 * How a {@link Pacer} lets time pass. Tests put a manual clock behind it.
 *
 * @see Pacer
 */
public interface Waiting {

    /**
     * Gives the core away for about so long. May return early or late.
     *
     * @param nanos how long, positive
     */
    void park(long nanos);

    /** Passes a moment without giving the core away. */
    void spin();

    /**
     * The operating system's way.
     *
     * @return {@link LockSupport#parkNanos(long)} and {@link Thread#onSpinWait()}
     */
    static Waiting system() {
        return SystemWaiting.INSTANCE;
    }
}
