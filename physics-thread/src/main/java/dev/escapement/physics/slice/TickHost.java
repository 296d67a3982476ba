package dev.escapement.physics.slice;

import dev.escapement.physics.request.CommandQueue;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;

/**
 * The connection of one service to the threads that run its slices.
 *
 * <p>Any thread may call any method.
 *
 * @see SlicedRun
 */
public interface TickHost {

    /** Connects services to the threads of a host. */
    interface Admission {

        /**
         * Admits another service, before it is built.
         *
         * @param name       the name that its builder has, may be empty
         * @param rate       its rate
         * @param simulation what it ticks
         * @return its name
         * @throws RuntimeException if the host refuses it
         */
        String admit(String name, TickRate rate, Object simulation);

        /** {@return whether time stands still while ticks run: then none is late, and policies for late ticks do not apply} Constant. */
        default boolean isStepped() {
            return false;
        }

        /** {@return the clock of due times} */
        NanoClock clock();

        /** {@return the thread that completes the futures of a new service} */
        CommandQueue.Answers answers();

        /**
         * Connects a service that is not started.
         *
         * @param ticks what to run in slices
         * @return its connection
         */
        TickHost connect(SlicedRun ticks);
    }

    /**
     * {@return the instant from which simulated time is to run, about now: the first tick is due one period later}
     *
     * @param periodNanos how long a tick is
     */
    long startNanos(long periodNanos);

    /** {@return the nanoseconds by which a tick may run before its due time, because due times are rounded} Constant. */
    default long earlyNanos() {
        return 0;
    }

    /** Begins to run slices. Throws an error if there is no memory for a thread. */
    void start();

    /** Called in the first slice, before the simulation begins. */
    default void beforeBegin() {}

    /** Wakes the service if it waits for a signal. */
    void signal();

    /** Ends the wait for the next slice, which is the last. Called after the service has noted that it is to end. */
    void cancel();

    /** Called in the last slice, before the simulation is closed: from then on no watchdog abandons this service. */
    void beforeClose();

    /** Called when the thread that runs the slice was abandoned, because it hangs. */
    void abandoned();

    /**
     * Calls the user's handler of a failure, perhaps on another thread and later.
     *
     * @param handler may take long
     */
    default void callHandler(Runnable handler) {
        handler.run();
    }

    /** {@return whether the caller is a thread that runs slices, and so must not wait for the end of a slice} */
    boolean isCaller();

    /**
     * Waits for the end of the last slice.
     *
     * @param maxNanos how long at most
     * @return whether it has ended
     */
    boolean awaitEnd(long maxNanos);
}
