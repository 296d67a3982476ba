package example.world;

import com.github.stephengold.joltjni.Character;
import com.github.stephengold.joltjni.Vec3;
import dev.escapement.physics.Tick;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.world.ForwardingSimulation;

/** What happens in every tick of a world: a character walks while a key is held. */
final class WalkerRules extends ForwardingSimulation {

    static final int KEY_UP = 265; // as GLFW numbers it

    private final Character walker;

    WalkerRules(JoltWorldSimulation world, Character walker) {
        super(world);
        this.walker = walker;
    }

    @Override
    public void step(Tick tick) throws Exception {
        float speed = tick.input().state().isKeyDown(KEY_UP) ? 2 : 0;
        walker.setLinearVelocity(new Vec3(speed, walker.getLinearVelocity().getY(), 0));
        super.step(tick);
        walker.postSimulation(0.05f); // Jolt wants it after each step: where the ground is
    }
}
