package dev.escapement.bench.jmh;

/**
 * Brings events to the one thread that drains. All hold a bounded number, refuse what is too much, and count what they refused.
 *
 * <p>Any thread offers, one drains.
 */
public interface InputQueue {

    /**
     * Offers an event.
     *
     * @param timeNanos when it happened, by {@link System#nanoTime()}
     * @param code      what happened
     * @param x         the first value
     * @param y         the second value
     * @return whether it was accepted; if not, the queue is full
     */
    boolean offer(long timeNanos, int code, float x, float y);

    /**
     * Hands all that was accepted to the sink that this queue was made for.
     *
     * @return how many events
     */
    int drain();

    /** How many events were refused because the queue was full. Any thread may ask. */
    long refused();

    /** Takes what a queue is drained of. Called on the thread that drains. */
    @FunctionalInterface
    interface Sink {

        /** Takes an event with what its producer offered. */
        void take(long timeNanos, int code, float x, float y);
    }
}
