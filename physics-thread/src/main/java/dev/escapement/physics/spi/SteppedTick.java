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

    /** {@return whether something else changed the simulation since the tick before, which no log can repeat} */
    boolean localRan();

    /**
     * {@return the {@link Simulation#hash()} after the step} It is computed once, however many ask.
     *
     * @throws UnsupportedOperationException if the simulation has none
     */
    long stateHash();
}
