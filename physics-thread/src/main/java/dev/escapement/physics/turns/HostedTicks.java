package dev.escapement.physics.turns;

import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.thread.ThreadTimes;

/**
 * The run of one service, as the threads that tick it see it: they give it turns.
 *
 * <pre>{@code
 * long nextNanos = 0;
 * while ((nextNanos = ticks.turn(threadTimes)) != HostedTicks.ENDED) {
 *     awaitUntil(nextNanos);
 * }
 * }</pre>
 *
 * <p><b>Assumptions</b>
 * <ol>
 *   <li>One thread at a time gives a turn; what came before in another thread happens before.
 *   <li>If it does not {@linkplain #mayMove() allow more}, always the same thread does.
 * </ol>
 *
 * @see TickHost
 */
public interface HostedTicks {

    /** What {@link #turn} returns if only a {@linkplain TickHost#signal() signal} is to end the wait. */
    long NEVER = Long.MAX_VALUE;

    /** What {@link #turn} returns after the end: there are no more turns. */
    long ENDED = Long.MIN_VALUE;

    /**
     * Begins the simulation in the first turn; runs the next tick if it is due, one at most; serves requests while time stands still; and
     * closes the simulation in the last turn. What user code throws ends the run. Throws only an error of the
     * virtual machine, such as no memory for a thread.
     *
     * @param times what is counted for the calling thread, always the same object for a thread
     * @return when the next turn is wanted, an instant of the clock, which may be past; {@link #NEVER} or {@link #ENDED}
     */
    long turn(ThreadTimes times);

    /**
     * Lets the next turn serve requests without a tick, and publish what they changed: for a host whose time stands still between its steps.
     * Any thread, which signals after that.
     */
    void serveInNextTurn();

    /** {@return whether a {@linkplain TickHost#signal() signal} is to end the wait after the last turn; else nothing is to be done before} */
    boolean wantsSignals();

    /** {@return whether several threads may give turns, one at a time} Constant. */
    boolean mayMove();

    /** {@return how long a tick is, by the rate and the speed that is asked for} For the thread that has given a turn. */
    long periodNanos();

    /** {@return the name of the service} */
    String name();

    /** {@return what its poses consist of} */
    PoseLayout layout();

    /** {@return the limit for one call of user code, zero if the builder was told none} */
    long watchdogNanos();

    /** {@return where other threads see whether a turn is within user code} */
    UserCodeGuard guard();

    /**
     * Abandons the thread that gives a turn, if it is still in a call of user code; the run has failed then. Any thread.
     *
     * @param crossings of the {@link #guard()}, when that call was seen
     * @param why       a part of a sentence
     * @return false if it has left that call
     */
    boolean abandon(long crossings, String why);

    /**
     * Fails a run whose thread is lost in that of another service. For a thread that is giving its turn, but does not.
     *
     * @param why a part of a sentence
     */
    void lose(String why);

    /**
     * {@return why a thread is abandoned that is in one call of user code: a part of a sentence}
     *
     * @param nanos how long it has been there
     */
    static String tooLong(long nanos) {
        return "it has been in the code of the simulation, a command, a hook or a device for " + nanos / 1e9 + " s";
    }
}
