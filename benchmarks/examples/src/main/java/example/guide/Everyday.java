package example.guide;

import com.github.stephengold.joltjni.*;
import com.github.stephengold.joltjni.enumerate.*;
import dev.escapement.physics.*;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.restore.StateBuffer;
import java.util.concurrent.CompletableFuture;

/** The everyday tasks of a game, around a world in Jolt. */
final class Everyday {

    private Everyday() {}

    static CompletableFuture<?> push(TickingWorld physics, JoltWorldSimulation simulation, Body body) {
        return physics.execute(tick -> {
            simulation.world().getBodyInterface().addImpulse(body.getId(), new Vec3(0, 5_000, 0)); // wakes it, too
        });
    }

    static byte[] save(TickingWorld physics, JoltWorldSimulation simulation) {
        StateBuffer state = new StateBuffer();
        physics.query(tick -> {
                    simulation.save(state);
                    return state;
                })
                .join();
        return state.toBytes(); // for a file
    }

    static void load(TickingWorld physics, JoltWorldSimulation simulation, byte[] saved) {
        StateBuffer state = new StateBuffer(saved); // refuses damaged bytes
        physics.execute(tick -> {
                    simulation.restore(state);
                })
                .join();
    }
}
