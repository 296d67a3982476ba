package dev.escapement.physics;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.SteppedTick;
import java.util.List;

/** Fake stepped ticks, for tests that call hooks without a service. */
public final class SteppedTicks {

    private SteppedTicks() {}

    /** Creates a stepped tick without commands. */
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
