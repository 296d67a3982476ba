package example.libgdx;

import dev.escapement.physics.box2d.Box2dWorldSimulation;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Tick;

/** The game's rules in every tick, before Box2D's step. */
final class CellarRules extends ForwardingSimulation {

    private final Cellar cellar;

    CellarRules(Cellar cellar, Box2dWorldSimulation world) {
        super(world);
        this.cellar = cellar;
    }

    @Override
    public void step(Tick tick) throws Exception {
        cellar.driveLift((tick.number() - 1) * tick.dtSeconds());
        super.step(tick);
    }
}
