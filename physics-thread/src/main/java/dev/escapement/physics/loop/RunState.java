package dev.escapement.physics.loop;

import org.jspecify.annotations.Nullable;

/**
 * Whether a run may continue.
 *
 * <pre>
 *   state      begins                                  ends                then
 *   whole      at first                                                    ticks and requests run
 *   half       with a tick; before hooks or the        at its publish;     an exception ends the run: half a tick can be
 *              source may replace the state            when they return    neither completed nor repeated
 *   broken     a restore or a re-simulated tick threw  never               {@link #requireUnbroken} throws the cause
 *              in a command; a hook threw when it
 *              received a command
 * </pre>
 *
 * <p>A run that another thread has abandoned ends by {@code UserCodeGuard}, whatever its state is.
 *
 * <p>An exception in a capture or a publish leaves the snapshot half written, too: their classes refuse the next one, but a run does not
 * come to that, because it is half. Physics thread only; the same thread reads it after an exception.
 */
final class RunState {

    private boolean isHalf;
    private @Nullable Throwable cause;

    /**
     * Begins what leaves the run half if it throws. Set first, so that it is right also after a StackOverflowError. Returns the state
     * before.
     */
    boolean begin() {
        boolean before = isHalf;
        isHalf = true;
        return before;
    }

    /** Ends what began last, without an exception. A run that was broken meanwhile stays so, also if its hook has caught the exception. */
    void end(boolean before) {
        isHalf = before || cause != null;
    }

    boolean isHalf() {
        return isHalf;
    }

    /** Breaks the run for good, although the caller passes the exception on to a command, whose future fails with it. */
    void breakBy(Throwable thrown) {
        isHalf = true;
        cause = thrown;
    }

    /** Ends the run, by a throw, if it was broken within commands, which got the exception instead of the run. */
    void requireUnbroken() throws Exception {
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause != null) {
            throw (Exception) cause;
        }
    }
}
