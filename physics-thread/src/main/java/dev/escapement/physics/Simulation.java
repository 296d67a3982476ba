package dev.escapement.physics;

import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;

/**
 * A physics engine's world, or anything else that advances by ticks of constant length. Users implement this.
 *
 * <p><b>Threads.</b> A {@link PhysicsService} makes every call on its physics thread, from {@link #begin()} to
 * {@link #close()}. Constructing one may happen anywhere. A simulation around another one passes every call on.
 *
 * @see dev.escapement.physics.world.WorldSimulation
 */
public interface Simulation extends AutoCloseable {

    /**
     * Tells that the calling thread makes all later calls. Called once, before the first step and before any command.
     *
     * @throws Exception if the simulation cannot go on: the service fails and shows the cause
     */
    default void begin() throws Exception {}

    /**
     * Advances by one tick. For deterministic runs the new state may depend on nothing but the old state and the tick, and of the tick
     * not on {@link Tick#dueNanos()} and the times of events, which are others in a replay.
     *
     * @param tick the tick's number, its length and its input, valid during this call
     * @throws Exception if the simulation cannot go on: the service fails and shows the cause
     */
    void step(Tick tick) throws Exception;

    /**
     * Writes the poses of all bodies that moved; the others stay where they are, and cost nothing.
     *
     * @param poses where to, valid during this call
     * @throws Exception if the simulation cannot go on: the service fails and shows the cause
     */
    void capture(PoseWriter poses) throws Exception;

    /**
     * Tells which contacts began and ended in the tick that was captured last. Called after its snapshot was published, and only
     * if {@link Tick#eventsWanted()} said so before the step. Bodies that come and go need not be told.
     *
     * @param events where to, valid during this call
     * @throws Exception if the simulation cannot go on: the service fails and shows the cause
     */
    default void events(EventWriter events) throws Exception {}

    /**
     * A hash over the engine's own state, before any conversion to {@code float}: equal states, equal hashes. Called after every step
     * of a run that is recorded or replayed, and should then allocate nothing.
     *
     * @return the hash
     * @throws UnsupportedOperationException if this simulation has none
     * @see dev.escapement.physics.replay.StateHash
     */
    default long hash() {
        throw new UnsupportedOperationException(getClass().getName() + " does not implement hash()");
    }

    /** Frees what the simulation holds. The service calls this after the last tick, once. */
    @Override
    default void close() {}
}
