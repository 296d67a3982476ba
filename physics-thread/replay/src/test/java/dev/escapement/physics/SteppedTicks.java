package dev.escapement.physics;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.SteppedTick;
import java.util.List;

/** Ticks that were stepped, for hooks that no service calls. */
public final class SteppedTicks {

    private SteppedTicks() {}

    /** One before which no command ran. */
    public static SteppedTick of(Simulation simulation, Tick tick) {
        return new SteppedTick() {
            @Override
            public Tick tick() {
                return tick;
            }

            @Override
            public List<CommandData> commands() {
                return List.of();
            }

            @Override
            public boolean localRan() {
                return false;
            }

            @Override
            public long stateHash() {
                return simulation.hash();
            }
        };
    }
}
