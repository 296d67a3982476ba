package dev.escapement.physics.replay;

/**
 * A simulation whose whole state can be saved and restored: everything that a later tick depends on. Which keys are held is part of
 * each tick's input, not of the state.
 *
 * <p>Physics thread only.
 *
 * @see StateBuffer
 */
public interface Restorable {

    /**
     * Saves the state, and does not change it.
     *
     * @param to where to; what was there before is kept, and this appended
     */
    void save(StateBuffer to);

    /**
     * Restores a state that this simulation, or another one that was built alike, has saved. From there the same ticks lead to the same
     * states as they did. The next capture sets every body, also those that rest.
     *
     * @param from where from, at what was saved
     */
    void restore(StateBuffer from);
}
