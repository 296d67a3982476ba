package dev.escapement.physics;

import java.io.IOException;

/**
 * Where the input of ticks comes from: what happens now, or a log of what happened once.
 *
 * <p>Physics thread only.
 */
interface TickInput {

    /** Tells the next tick what it has to know; {@code fromNanos} is when simulated time left the tick before. */
    void take(Tick tick, long number, long fromNanos, long dueNanos, double budgetUsed) throws IOException;

    /** How many live events had been taken when the tick sampled; 0 where they reach no tick. */
    default long taken() {
        return 0;
    }

    /** Whether this is a log, so that what happens now reaches no tick. */
    default boolean isReplay() {
        return false;
    }

    /** Whether events of the tick that was taken are to be collected even if nobody listens. */
    default boolean eventsWanted() {
        return false;
    }

    /** Whether there is nothing for another tick. */
    default boolean isAtEnd() {
        return false;
    }
}
