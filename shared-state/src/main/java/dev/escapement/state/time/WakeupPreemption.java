package dev.escapement.state.time;

/**
 * Whether a thread that wakes takes the core of the thread that runs there, or queues behind it. Called by that thread about itself, twice
 * a wait; allocates nothing.
 *
 * @see Pacer#adapt
 */
@FunctionalInterface
public interface WakeupPreemption {

    /**
     * Allows it, as usual, or forbids it until it is allowed again.
     *
     * @param allowed whether the thread takes the core when it wakes
     */
    void allow(boolean allowed);
}
