package dev.escapement.physics;

import dev.escapement.physics.command.CommandData;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Records the ticks of a run, so that it can be replayed.
 *
 * <p>The service or driver calls {@link #begin} once, before the first tick. The thread that ticks calls {@link #command} and
 * {@link #localCommand} before each command, {@link #beginTick} before each step, {@link #tick} after it, and {@link #endTick} when the tick
 * was published.
 *
 * @see PhysicsServiceBuilder#record
 * @see PhysicsServiceBuilder#flightRecorder
 */
public interface TickRecorder {

    /**
     * Begins a run.
     *
     * @param simulation the simulation that ticks
     * @param rate       the rate of the ticks
     * @param mayWait    whether {@link #tick} may wait for the disk; false on a physics thread
     * @throws IllegalArgumentException if this recording has another rate
     * @throws IllegalStateException    if it has begun before, or was closed
     */
    void begin(Simulation simulation, TickRate rate, boolean mayWait);

    /**
     * Records a command that is data, before it runs.
     *
     * @param tick    the tick before whose step it runs
     * @param command the command
     */
    default void command(long tick, CommandData command) {}

    /**
     * Notes a command that is not data, before it runs.
     *
     * @param tick    the tick before whose step it runs
     * @param command the command
     */
    default void localCommand(long tick, Object command) {}

    /**
     * Records what a tick is about to get, before its step.
     *
     * @param tick the tick
     */
    default void beginTick(Tick tick) {}

    /**
     * Records a tick, after its step. Does nothing if the recording has ended.
     *
     * @param tick        the tick
     * @param commands    the commands that are data and ran since the tick before, in this order; valid during this call
     * @param localRan    whether other commands ran since the tick before, which a recording does not have
     * @param stateHash   {@link Simulation#hash()} after the step
     */
    void tick(Tick tick, List<CommandData> commands, boolean localRan, long stateHash);

    /**
     * Ends the recording before a tick. Any thread.
     *
     * @param tick  the first tick that is not recorded
     * @param cause why
     */
    void fail(long tick, IOException cause);

    /**
     * Called when a tick was published and its listeners were called: the simulation is at rest, and its state may be saved.
     *
     * @param tick      its number
     * @param tookNanos how long it took until it was published
     */
    default void endTick(long tick, long tookNanos) {}

    /**
     * Called when something went wrong. Returns at once. Any thread.
     *
     * @param fault what
     */
    default void fault(TickFault fault) {}

    /**
     * Writes the last seconds to a file. Any thread.
     *
     * @param file a file that does not exist
     * @throws IOException                   if it cannot be written
     * @throws UnsupportedOperationException if this keeps no last seconds
     */
    default void save(Path file) throws IOException {
        throw new UnsupportedOperationException(
                "this recorder does not keep the last seconds; see flightRecorder(...)");
    }

    /** Called once, when the service or driver has ended and its simulation was closed. */
    default void end() {}
}
