package dev.escapement.physics.world;

import dev.escapement.state.input.InputSink;
import dev.escapement.state.input.InputSource;

/**
 * Checks before each tick that nothing has changed the bodies since the tick before. The watch is an input source without input, because
 * the service polls its sources before the commands of a tick, even while time stands still.
 */
final class TouchWatch<B> implements InputSource {

    private final WorldSimulation<?, B> simulation;

    /** Whether bodies must still have the remembered states, because no command has run since the capture. */
    private boolean unchanged;

    TouchWatch(WorldSimulation<?, B> simulation) {
        this.simulation = simulation;
    }

    void remember() {
        for (int i = 0; i < simulation.bodies.size(); i++) {
            ShownBody<B> shown = simulation.bodies.get(i);
            shown.stateHash = simulation.states.stateHash(shown.body);
        }
        unchanged = true;
    }

    /** Skips the next check, because the simulation itself has changed bodies. */
    void forget() {
        unchanged = false;
    }

    /**
     * Checks once after each capture: later checks would find the changes of commands, which run without a capture while time stands still.
     */
    @Override
    public void poll(InputSink sink) {
        if (!unchanged || !simulation.isTicking()) { // no check while another thread ticks the world
            return;
        }
        unchanged = false;
        for (int i = 0; i < simulation.bodies.size(); i++) {
            ShownBody<B> shown = simulation.bodies.get(i);
            if (shown.isSpawned() && hasChanged(shown)) {
                simulation.close();
                throw new IllegalStateException(
                        shown + " was changed between two ticks by another thread than '"
                                + Thread.currentThread().getName()
                                + "', or by a query; change bodies in physics.execute(tick -> { ... }), and only read in queries");
            }
        }
    }

    private boolean hasChanged(ShownBody<B> shown) {
        return !simulation.isInWorld(shown.body) || shown.stateHash != simulation.states.stateHash(shown.body);
    }
}
