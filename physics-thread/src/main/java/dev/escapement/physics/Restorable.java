package dev.escapement.physics;

/**
 * A simulation whose whole state can be put away and brought back: everything that a later tick depends on. Which keys are held is
 * part of each tick's input, and of no state.
 *
 * <p>Physics thread only.
 *
 * @see StateBuffer
 */
public interface Restorable {

    /**
     * Saves the state. It stays as it is.
     *
     * @param to where to; what was there before is kept, and this appended
     */
    void save(StateBuffer to);

    /**
     * Brings a state back that this simulation, or another one that was built alike, has saved. Whatever the state was meanwhile, the
     * same ticks then lead to the same states as they did. The next capture sets every body, also those that rest.
     *
     * @param from where from, at what was saved
     */
    void restore(StateBuffer from);
}
