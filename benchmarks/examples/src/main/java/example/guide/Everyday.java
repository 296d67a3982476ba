package example.guide;

import com.github.stephengold.joltjni.*;
import com.github.stephengold.joltjni.enumerate.*;
import dev.escapement.physics.*;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import java.util.concurrent.CompletableFuture;

/** A push of a body in Jolt, from any thread. */
final class Everyday {

    private Everyday() {}

    static CompletableFuture<?> push(TickingWorld physics, JoltWorldSimulation simulation, Body body) {
        return physics.execute(tick -> {
            simulation.world().getBodyInterface().addImpulse(body.getId(), new Vec3(0, 5_000, 0)); // also wakes it
        });
    }
}
