package dev.escapement.bench.stress.world;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;

/**
 * A world whose first two bodies begin to touch in every tick, so that it has exactly one such event.
 *
 * @param world what moves, two bodies at least
 */
public record TouchingWorld(Simulation world) implements Simulation {

    @Override
    public void begin() throws Exception {
        world.begin();
    }

    @Override
    public void step(Tick tick) throws Exception {
        world.step(tick);
    }

    @Override
    public void capture(PoseWriter poses) throws Exception {
        world.capture(poses);
    }

    @Override
    public void events(EventWriter events) {
        events.contactBegan(0, 1, 0, 0, 0, 0, 1, 0);
    }

    @Override
    public void close() {
        world.close();
    }
}
