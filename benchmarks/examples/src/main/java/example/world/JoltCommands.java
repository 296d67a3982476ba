package example.world;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.Vec3;
import dev.escapement.physics.TickingWorld;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import java.util.concurrent.CompletableFuture;

/** Commands of other threads to a world of Jolt while it ticks. */
final class JoltCommands {

    private JoltCommands() {}

    static CompletableFuture<Answer<Long>> push(TickingWorld physics, JoltWorldSimulation simulation, Body body) {
        return physics.command(tick -> {
            simulation.world().getBodyInterface().addImpulse(body.getId(), new Vec3(0, 5_000, 0)); // wakes it, too
            return tick;
        });
    }
}
