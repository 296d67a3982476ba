package example.libgdx;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.dyn4j.Dyn4jWorldSimulation;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import org.dyn4j.dynamics.Body;

/** What the game does in every tick, before dyn4j's step. */
final class CellarRules implements Simulation {

    private final Cellar cellar;
    private final Dyn4jWorldSimulation<Body> world;

    CellarRules(Cellar cellar, Dyn4jWorldSimulation<Body> world) {
        this.cellar = cellar;
        this.world = world;
    }

    @Override
    public void begin() {
        world.begin();
    }

    @Override
    public void step(Tick tick) throws Exception {
        cellar.driveLift((tick.number() - 1) * tick.dtSeconds());
        world.step(tick);
    }

    @Override
    public void capture(PoseWriter poses) {
        world.capture(poses);
    }

    @Override
    public void events(EventWriter events) {
        world.events(events);
    }

    @Override
    public long hash() {
        return world.hash();
    }

    @Override
    public void close() {
        world.close();
    }
}
