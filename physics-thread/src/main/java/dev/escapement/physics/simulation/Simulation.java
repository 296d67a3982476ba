package dev.escapement.physics.simulation;

import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import java.util.Map;
import java.util.Optional;

/**
 * A physics engine's world, or anything else that advances by ticks of constant length. Users implement this.
 *
 * <p><b>Threads.</b> A {@code PhysicsService} makes every call on its physics thread, from {@link #begin()} to {@link #close()}, except
 * {@link #commands()} when the service is built, {@link #settings()}, {@link #capability}, {@link #counts()}, and {@link #close()} if no
 * thread can be started. Any thread may construct a simulation. A simulation that wraps another one must pass on every call.
 *
 * <p>See {@code PhysicsService.builder}.
 */
public interface Simulation extends AutoCloseable {

    /**
     * Binds the simulation to the calling thread, which makes all later calls. Called once, before the first step and before any command.
     * An {@code InlineDriver} calls it again after it has thrown.
     *
     * @throws Exception if the simulation cannot continue: the service fails, and this is the cause
     */
    default void begin() throws Exception {}

    /**
     * Advances by one tick. For deterministic runs the new state may depend only on the old state and the tick, but not on
     * {@link Tick#dueNanos()} and the time stamps of events, which differ in a replay.
     *
     * @param tick the tick's number, its length and its input, valid during this call
     * @throws Exception if the simulation cannot continue: the service fails, and this is the cause
     */
    void step(Tick tick) throws Exception;

    /**
     * Writes the poses of all bodies that moved since the last call. Bodies that it does not write keep their pose and cost nothing. Called
     * after each step; while time stands still, it is called after commands, without a step.
     *
     * @param poses the writer that takes them, valid during this call
     * @throws Exception if the simulation cannot continue: the service fails, and this is the cause
     */
    void capture(PoseWriter poses) throws Exception;

    /**
     * Reports the contacts that began and ended in the tick that was captured last. Called after its snapshot was published, and only if
     * {@link Tick#eventsWanted()} was true. Spawns and despawns need not be reported. If a command has removed a body in a pause, the next
     * tick may still report the end of its contacts.
     *
     * @param events the writer that takes them, valid during this call
     * @throws Exception if the simulation cannot continue: the service fails, and this is the cause
     */
    default void events(EventWriter events) throws Exception {}

    /**
     * A hash of the engine's own state, before any conversion to {@code float}: equal states have equal hashes. Called after every step of
     * a run that is recorded or replayed, so it should allocate nothing.
     *
     * @return the hash
     * @throws UnsupportedOperationException if this simulation has none
     * @see dev.escapement.physics.restore.StateHash
     */
    default long hash() {
        throw new UnsupportedOperationException(getClass().getName() + " does not implement hash()");
    }

    /**
     * {@return the settings, such as the engine's number of sub-steps, on which the next state depends although they are no part of the
     * state; empty, the default, if there are none} A log stores this text, and its replay refuses a simulation with another text. Any
     * thread; constant once the service is built.
     */
    default String settings() {
        return "";
    }

    /**
     * {@return the handlers of commands that are data; always the same object}
     *
     * <p>See {@code TickingWorld.command}.
     */
    default CommandHandlers commands() {
        return CommandHandlers.none();
    }

    /**
     * Looks up what else this simulation can do: {@link dev.escapement.physics.restore.Restorable},
     * {@link dev.escapement.state.world.ShapeSource}, or {@link dev.escapement.state.input.InputSource}, which a service, but no driver,
     * then polls and closes as a device. Any thread.
     *
     * @param type the interface
     * @param <T>  the interface
     * @return this simulation, or the one that it wraps, as that interface; empty if neither implements it
     */
    default <T> Optional<T> capability(Class<T> type) {
        return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
    }

    /** {@return the counts of this simulation, by name, for {@link PhysicsStats#counts()} and metrics} Any thread; empty by default. */
    default Map<String, Long> counts() {
        return Map.of();
    }

    /** Frees what the simulation holds. The service calls this after the last tick, once; without {@link #begin()} if it never started. */
    @Override
    default void close() {}
}
