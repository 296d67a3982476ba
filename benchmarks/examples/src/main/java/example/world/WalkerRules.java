package example.world;

import com.github.stephengold.joltjni.Character;
import com.github.stephengold.joltjni.Vec3;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;

/** What happens in every tick of a world: a character walks while a key is held. */
record WalkerRules(JoltWorldSimulation world, Character walker) implements Simulation {

    static final int KEY_UP = 265; // as GLFW numbers it

    @Override
    public void step(Tick tick) throws Exception {
        float speed = tick.input().state().isKeyDown(KEY_UP) ? 2 : 0;
        walker.setLinearVelocity(new Vec3(speed, walker.getLinearVelocity().getY(), 0));
        world.step(tick);
        walker.postSimulation(0.05f); // Jolt wants it after each step: where the ground is
    }

    @Override
    public void begin() {
        world.begin();
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
