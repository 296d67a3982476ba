package dev.escapement.physics.spi;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import java.util.List;

/**
 * A tick that was stepped. Valid during the call that gets it, on the thread that ticks; the run reuses one object for all ticks.
 *
 * @see TickHook#stepped
 */
public interface SteppedTick {

    /** {@return the tick that the step received} */
    Tick tick();

    /** {@return the commands that are data and ran since the tick before, in this order} */
    List<CommandData> commands();

    /** {@return whether commands that are not data ran since the tick before, so that no log can repeat this tick} */
    boolean localRan();

    /**
     * {@return the {@link Simulation#hash()} after the step} The first call for a tick computes the hash, and later calls return it.
     *
     * @throws UnsupportedOperationException if the simulation has no hash
     */
    long stateHash();
}
