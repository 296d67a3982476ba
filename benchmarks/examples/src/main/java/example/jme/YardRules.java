package example.jme;

import dev.escapement.physics.bullet.BulletWorldSimulation;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Tick;

/** The game's rules, which run in every tick before Bullet's step. */
final class YardRules extends ForwardingSimulation {

    private final Yard yard;

    YardRules(Yard yard, BulletWorldSimulation world) {
        super(world);
        this.yard = yard;
    }

    @Override
    public void step(Tick tick) throws Exception {
        yard.movePlatform(tick.number() * tick.dtSeconds());
        super.step(tick);
    }
}
