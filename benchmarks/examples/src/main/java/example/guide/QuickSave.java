package example.guide;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.TickingWorld;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.*;
import java.util.concurrent.CompletableFuture;
import org.lwjgl.glfw.GLFW;

/** Saves and loads a world when a key is pressed. The key may come in a step or in a pause, so no code here may wait for the result. */
final class QuickSave extends ForwardingSimulation {

    final PhysicsService physics;
    private final JoltWorldSimulation world;
    volatile byte[] saved = {}; // volatile: written by the thread that completes the future, read by the physics thread

    QuickSave(JoltWorldSimulation world) {
        super(world);
        this.world = world;
        physics = PhysicsService.builder(this)
                .pausedInput((event, held) -> pressed(event))
                .build();
    }

    @Override
    public void step(Tick tick) throws Exception {
        for (int i = 0; i < tick.input().size(); i++) {
            pressed(tick.input().event(i));
        }
        super.step(tick);
    }

    /** Saves the state. Any thread may call this. On the physics thread, join() on the result throws. */
    static CompletableFuture<byte[]> save(TickingWorld physics, Restorable simulation) {
        return physics.query(tick -> {
                    StateBuffer state = new StateBuffer();
                    simulation.save(state);
                    return state.toBytes();
                })
                .thenApply(Answer::value);
    }

    /** Loads a state. Any thread may call this; damaged bytes fail only the future. */
    static CompletableFuture<?> load(TickingWorld physics, Restorable simulation, byte[] saved) {
        return physics.execute(tick -> simulation.restore(new StateBuffer(saved)));
    }

    /** F5 saves, F9 loads. It does not call join(), which throws on this thread. */
    private void pressed(InputEvent event) {
        int key = event.kind() == InputKind.KEY_DOWN ? event.code() : GLFW.GLFW_KEY_UNKNOWN;
        if (key == GLFW.GLFW_KEY_F5) {
            var unused = save(physics, world).thenAccept(state -> saved = state);
        } else if (key == GLFW.GLFW_KEY_F9) {
            var unused = load(physics, world, saved);
        }
    }
}
