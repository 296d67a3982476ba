package example.jme;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.bullet.BulletWorldSimulation;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;

/** What the game does in every tick, before Bullet's step. */
final class YardRules implements Simulation {

    private final Yard yard;
    private final BulletWorldSimulation world;

    YardRules(Yard yard, BulletWorldSimulation world) {
        this.yard = yard;
        this.world = world;
    }

    @Override
    public void begin() {
        world.begin();
    }

    @Override
    public void step(Tick tick) throws Exception {
        yard.movePlatform(tick.number() * tick.dtSeconds());
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
