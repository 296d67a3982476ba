package example.libgdx;

import dev.escapement.physics.Tick;
import dev.escapement.physics.dyn4j.Dyn4jWorldSimulation;
import dev.escapement.physics.world.ForwardingSimulation;
import org.dyn4j.dynamics.Body;

/** The game's rules in every tick, before dyn4j's step. */
final class CellarRules extends ForwardingSimulation {

    private final Cellar cellar;

    CellarRules(Cellar cellar, Dyn4jWorldSimulation<Body> world) {
        super(world);
        this.cellar = cellar;
    }

    @Override
    public void step(Tick tick) throws Exception {
        cellar.driveLift((tick.number() - 1) * tick.dtSeconds());
        super.step(tick);
    }
}
