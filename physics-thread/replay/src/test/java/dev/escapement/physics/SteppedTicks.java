package dev.escapement.physics;

import dev.escapement.physics.usercode.UserCodeGuard;

/** Ticks that were stepped, for hooks that no service calls. */
public final class SteppedTicks {

    private SteppedTicks() {}

    /** One before which no command ran. */
    public static SteppedTick of(Simulation simulation, Tick tick) {
        UserCodeGuard guard = new UserCodeGuard();
        guard.enter();
        return new SteppedTick(simulation, tick, new ExecutedCommands(), guard);
    }
}
