package dev.escapement.physics;

import dev.escapement.physics.command.CommandData;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.util.List;

/**
 * Records the ticks of a run, so that it can be replayed.
 *
 * <p>The service or driver calls {@link #begin} once, before the first tick, and {@link #tick} on the thread that ticks.
 *
 * @see PhysicsServiceBuilder#record
 *
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
     * Records a tick, after its step. Does nothing if the recording has ended.
     *
     * @param tick        the tick
     * @param commands    the commands that are data and ran since the tick before, in this order; valid during this call
     * @param localRan    whether other commands ran since the tick before, which a recording does not have
     * @param stateHash   {@link Simulation#hash()} after the step
     */
    void tick(Tick tick, List<CommandData> commands, boolean localRan, long stateHash);

    /**
     * Notes that the run went back, before the tick after that. What came since stays recorded.
     *
     * @param tick the tick to which it went back, by the simulation's count; one less than the first for the start
     */
    void wentBack(long tick);

    /**
     * Ends the recording before a tick. Any thread.
     *
     * @param tick  the first tick that is not recorded
     * @param cause why
     */
    void fail(long tick, IOException cause);
}
