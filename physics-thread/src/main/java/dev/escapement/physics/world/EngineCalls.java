package dev.escapement.physics.world;

import dev.escapement.physics.Tick;
import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;

/**
 * The calls that a {@link WorldSimulation} makes to an engine. The calling thread is always the one that may touch the world: until the
 * service starts, the one that attaches bodies; then the physics thread.
 *
 * @param <B> the engine's bodies
 */
abstract class EngineCalls<B> {

    /**
     * Called when a body was attached, which has no slot yet. For engines whose callbacks identify bodies by something else.
     *
     * @param body the body
     */
    protected void bodyAttached(B body) {}

    /**
     * Called when a body was detached.
     *
     * @param body the body
     */
    protected void bodyDetached(B body) {}

    /**
     * Steps the engine's world, on the physics thread.
     *
     * @param tick the tick, with its length
     * @throws Exception if the engine cannot go on
     */
    protected abstract void advance(Tick tick) throws Exception;

    /**
     * Whether the world has a body. Called when a body is attached and by {@link WorldSimulation#touchWatch()}; also for every attached
     * body in every capture, before all other calls, unless {@link WorldSimulation#findRemoved} is overridden.
     *
     * @param body an attached body, or one that is to be attached
     * @return false if the game has removed it
     */
    protected abstract boolean isInWorld(B body);

    /**
     * Whether the engine does not move a body, and may not report its contacts.
     *
     * @param body an attached body
     * @return whether it sleeps, or is static
     */
    protected abstract boolean isAsleep(B body);

    /**
     * Writes the pose of a body.
     *
     * @param body  an attached body
     * @param slot  its slot
     * @param poses takes the pose
     */
    protected abstract void writePose(B body, int slot, PoseWriter poses);

    /**
     * Reads the engine's own pose of a body. Called in every tick for each sleeping body, so it should allocate nothing.
     *
     * @param body an attached body
     * @param bits where the raw bits go
     * @param at   the place of the first
     * @return the place after the last
     */
    protected abstract int readPose(B body, long[] bits, int at);

    /**
     * Reads the engine's own velocities of a body. Called for hashes and recordings of the state, and by
     * {@link WorldSimulation#touchWatch()}.
     *
     * @param body an attached body
     * @param bits where the raw bits go, after those of the pose
     * @param at   the place of the first
     */
    protected abstract void readVelocities(B body, long[] bits, int at);

    /**
     * Reports which bodies touch after the step that was captured last, see {@link ContactPairs#see}. Called only if contacts are wanted; a
     * body that is not attached counts as {@link EventWriter#NO_BODY}.
     *
     * @param touching takes the contacts
     */
    protected abstract void tellContacts(ContactPairs touching);

    /** Removes what was added to the engine's world, such as listeners. Called once, at the end. */
    protected void released() {}
}
