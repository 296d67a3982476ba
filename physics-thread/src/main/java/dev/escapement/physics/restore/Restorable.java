package dev.escapement.physics.restore;

/**
 * A simulation whose complete state can be saved and restored: everything that a later tick depends on. The levels of
 * input, such as held keys, are not part of this state, because each tick gets them from its input.
 *
 * <p>Physics thread only.
 *
 * @see StateBuffer
 */
public interface Restorable {

    /**
     * {@return whether another simulation that was built alike, in another process for example, can restore what this one saves, at any
     * later time, also if bodies were spawned or despawned since; false if only this one can}
     */
    default boolean restoresElsewhere() {
        return true;
    }

    /**
     * Saves the state without changing it. Begin with {@link StateBuffer#putHeader}, and {@link #restore} with
     * {@link StateBuffer#getHeader}, so that the state of another world is refused.
     *
     * @param to the buffer that the state is appended to
     */
    void save(StateBuffer to);

    /**
     * Restores a state that this simulation, or another one that was built alike, has saved. From there the same ticks must lead to the
     * same states as before. The next capture must set every body, also resting ones.
     *
     * @param from the buffer, at the start of the saved state
     * @throws RestoreRefusedException if it does not fit, for example because bodies were spawned or despawned since. Then nothing was
     *                                 changed, and the run continues. A simulation that wraps another one must restore the inner one first,
     *                                 because that may refuse
     * @throws IllegalStateException   if it cannot be restored; after that, this simulation cannot be used any more
     */
    void restore(StateBuffer from);
}
