package dev.escapement.physics.world;

import dev.escapement.physics.Tick;
import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;

/**
 * What a {@link WorldSimulation} asks of an engine. All is called by the thread that may touch the world: until the service starts the one
 * that attaches bodies, then the one that ticks.
 *
 * @param <B> the engine's bodies
 */
abstract class EngineCalls<B> {

    /**
     * A body is attached, and has no slot yet. For engines whose callbacks know bodies by something else than the body.
     *
     * @param body which one
     */
    protected void bodyAttached(B body) {}

    /**
     * A body is attached no more.
     *
     * @param body which one
     */
    protected void bodyDetached(B body) {}

    /**
     * Steps the engine's world, on the thread that ticks.
     *
     * @param tick how far
     * @throws Exception if the engine cannot go on
     */
    protected abstract void advance(Tick tick) throws Exception;

    /**
     * Whether the world still has a body. Asked of every attached body in every tick, before anything else is.
     *
     * @param body an attached body
     * @return false if the game has removed it
     */
    protected abstract boolean isInWorld(B body);

    /**
     * Whether the engine leaves a body where it is, and may not look at what it touches.
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
     * @param poses where to
     */
    protected abstract void writePose(B body, int slot, PoseWriter poses);

    /**
     * Reads the engine's own pose of a body. Asked in every tick for each body that sleeps: it should allocate nothing.
     *
     * @param body an attached body
     * @param bits where the raw bits go
     * @param at   the place of the first
     * @return the place after the last
     */
    protected abstract int readPose(B body, long[] bits, int at);

    /**
     * Reads the engine's own velocities of a body. Asked for hashes and recordings of the state, and by {@link WorldSimulation#touchWatch()}.
     *
     * @param body an attached body
     * @param bits where the raw bits go, after those of the pose
     * @param at   the place of the first
     */
    protected abstract void readVelocities(B body, long[] bits, int at);

    /**
     * Says which bodies touch after the step that was captured last, see {@link ContactPairs#see}. Only asked if somebody wants
     * to know; what touches and is not shown counts as {@link EventWriter#NO_BODY}.
     *
     * @param touching where to
     */
    protected abstract void tellContacts(ContactPairs touching);

    /** Takes away what was added to the engine's world, such as listeners. Called once, at the end. */
    protected void released() {}
}
