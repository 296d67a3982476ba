package dev.escapement.physics.world;

import dev.escapement.physics.replay.StateHash;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;

/**
 * Looks, before anything of a tick runs, whether bodies still are as the tick before has left them. A source, because these are asked
 * before the commands of a tick, and while time stands still; it offers nothing.
 */
final class TouchWatch<B> implements InputSource {

    private final WorldSimulation<?, B> simulation;
    private final ShownBodies<B> bodies;
    private final BodyStateBits<B> states;

    /** Whether nothing of the service has run since the capture that the states are of. */
    private boolean unchanged;

    TouchWatch(WorldSimulation<?, B> simulation, ShownBodies<B> bodies, BodyStateBits<B> states) {
        this.simulation = simulation;
        this.bodies = bodies;
        this.states = states;
    }

    /** After a capture. */
    void remember() {
        for (int i = 0; i < bodies.size(); i++) {
            ShownBody<B> shown = bodies.get(i);
            shown.stateHash = states.stateHash(simulation, shown.body);
        }
        unchanged = true;
    }

    /** The simulation itself has changed bodies. */
    void forget() {
        unchanged = false;
    }

    /** Looks once after each capture: what commands do afterwards, while time stands still, is the game's right. */
    @Override
    public void poll(InputRing ring) {
        if (!unchanged || !simulation.isTicking()) { // another simulation's tick, after a restart
            return;
        }
        unchanged = false;
        for (int i = 0; i < bodies.size(); i++) {
            ShownBody<B> shown = bodies.get(i);
            if (shown.isSpawned() && hasChanged(shown)) {
                simulation.close();
                throw new IllegalStateException(shown + " was changed between two ticks by another thread than '"
                        + Thread.currentThread().getName()
                        + "', or by a query; change bodies in physics.command(tick -> ...), and only read in queries");
            }
        }
    }

    private boolean hasChanged(ShownBody<B> shown) {
        return !simulation.isInWorld(shown.body) || shown.stateHash != states.stateHash(simulation, shown.body);
    }
}
