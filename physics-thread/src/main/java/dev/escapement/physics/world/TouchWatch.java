package dev.escapement.physics.world;

import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;

/** Looks, before anything of a tick runs, whether bodies still are as the tick before has left them. */
final class TouchWatch implements InputSource {

    private final WorldSimulation<?, ?> simulation;

    TouchWatch(WorldSimulation<?, ?> simulation) {
        this.simulation = simulation;
    }

    /** Offers nothing: a source because these are asked before the commands of a tick, and while time stands still. */
    @Override
    public void poll(InputRing ring) {
        simulation.requireUntouched();
    }
}
