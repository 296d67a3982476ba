package dev.escapement.physics.slice;

import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.thread.ThreadTimes;

/**
 * The run of one service, for the threads that run it in slices.
 *
 * <pre>{@code
 * long nextNanos = 0;
 * while ((nextNanos = ticks.runSlice(threadTimes)) != SlicedRun.ENDED) {
 *     awaitUntil(nextNanos);
 * }
 * }</pre>
 *
 * <p><b>Assumptions</b>
 * <ol>
 *   <li>Only one thread at a time runs a slice, and earlier slices, even of other threads, happen before it.
 *   <li>If the world does not {@linkplain World#mayMove() move}, the same thread runs all slices.
 * </ol>
 *
 * @see TickHost
 */
public interface SlicedRun {

    /** Result of {@link #runSlice}: it was the last slice. */
    long ENDED = Long.MIN_VALUE;

    /**
     * The constants of a service.
     *
     * @param name          its name
     * @param mayMove       whether several threads may run slices, one at a time
     * @param watchdogNanos the limit for one call of user code, zero if its builder sets none
     * @param guard         shows other threads whether a slice is within user code
     */
    record World(String name, boolean mayMove, long watchdogNanos, UserCodeGuard guard) {}

    /**
     * Begins the simulation in the first slice; runs the next tick if it is due, one at most; serves requests while time stands still; and
     * closes the simulation in the last slice. An exception of user code ends the run. Throws only an error of the virtual machine, such as
     * no memory for a thread.
     *
     * @param times reads the processor time of the calling thread, always the same object for a thread
     * @return when the next slice is wanted, an instant of the clock, which may be past; or {@link #ENDED}
     */
    long runSlice(ThreadTimes times);

    /**
     * Lets the next slice serve requests without a tick, and publish what they changed: for a host whose time stands still between its
     * steps. Any thread, which must signal after this call.
     */
    void serveInNextSlice();

    /** {@return the length of a tick, by the rate and the requested speed} For the thread that ran the latest slice. */
    long periodNanos();

    /** {@return the constants of the service} */
    World world();

    /**
     * Abandons the thread that runs a slice, if it is still in the call of user code in which the caller saw it. Then the run has failed.
     * Any thread.
     *
     * @param crossings the guard's {@link UserCodeGuard#crossings()} when the caller saw that call
     * @param nanos     how long it has been in that call, for the message
     * @return false if the thread has left that call
     */
    boolean abandon(long crossings, long nanos);

    /**
     * Fails the run because its thread hangs in a slice of another service. The caller has claimed the slice of this service, so that no
     * other thread runs it.
     *
     * @param why a part of a sentence
     */
    void orphan(String why);
}
