package dev.escapement.physics;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.usercode.UserCodeGuard;
import java.util.List;

/**
 * A tick that was stepped. Valid during the call that gets it, on the thread that ticks; reused from tick to tick.
 *
 * @see TickHook#stepped
 */
public final class SteppedTick {

    private final Simulation simulation;
    private final Tick tick;
    private final ExecutedCommands ran;
    private final UserCodeGuard guard;
    private boolean isHashed;
    private long stateHash;

    SteppedTick(Simulation simulation, Tick tick, ExecutedCommands ran, UserCodeGuard guard) {
        this.simulation = simulation;
        this.tick = tick;
        this.ran = ran;
        this.guard = guard;
    }

    /** Called after each step. */
    void begin() {
        isHashed = false;
    }

    /** {@return the tick, with what the step got} */
    public Tick tick() {
        return tick;
    }

    /** {@return the commands that are data and ran since the tick before, in this order} */
    public List<CommandData> commands() {
        return ran.data();
    }

    /** {@return whether something else changed the simulation since the tick before, which no log can repeat} */
    public boolean localRan() {
        return ran.isLocal();
    }

    /**
     * {@return the {@link Simulation#hash()} after the step} It is computed once, however many ask.
     *
     * @throws UnsupportedOperationException if the simulation has none
     */
    public long stateHash() {
        if (!isHashed) {
            stateHash = simulation.hash();
            guard.next(); // throws if the thread was abandoned in it: then no log may record this hash
            isHashed = true;
        }
        return stateHash;
    }
}
