package dev.escapement.state.input;

/**
 * Takes offered input events: an {@link InputRing}, or a {@link TrackedSource}, which tracks what its producer holds.
 *
 * @see InputSource
 */
public abstract sealed class InputSink permits InputRing, TrackedSource {

    InputSink() {}

    /** Returns the ring that gets the events. */
    abstract InputRing ring();

    /**
     * Offers an event. Allocates nothing, except in a ring's first offer.
     *
     * <p>The next tick that samples at or after the stamp takes an accepted event. While time stands still or the run repeats a source log,
     * no tick takes it ({@link InputRing#droppedWhilePaused()}). But {@link InputKind#APPLICATION} events of a pause without a listener,
     * except those of {@link DragInput}, wait for the next tick, up to a quarter of the ring's capacity.
     *
     * @param timeNanos when it happened, an instant of the clock
     * @param kind      the kind
     * @param code      the key, button or other code of the kind
     * @param x         the first value
     * @param y         the second value
     * @return false, and counted as {@link InputRing#rejected()}, if the ring has no room, is disabled or closed, or the {@link
     *     TrackedSource} has left
     * @throws IllegalArgumentException if the stamp lies more than a second ahead of the clock, or if there is no such code
     */
    public abstract boolean offer(long timeNanos, InputKind kind, int code, float x, float y);
}
