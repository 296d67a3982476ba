package example.server;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.TickingWorld;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.replay.history.Reconciler;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.time.NanoClock;
import java.util.concurrent.CompletableFuture;

/** A player's world, which runs ahead of the server's. It shows at once what the player does, and states from the server correct it. */
final class Prediction {

    private Prediction() {}

    /** The data that the server sends about a tick. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record State(long tick, long hash, byte[] bytes) {}

    static <S extends Simulation & Restorable> CompletableFuture<Answer<State>> save(TickingWorld server, S world) {
        return server.query(tick -> {
            StateBuffer state = new StateBuffer();
            world.save(state);
            return new State(tick, world.hash(), state.toBytes());
        });
    }

    /** Creates the driver of a predicted world. Its clock runs so far ahead of the server's that input arrives before its tick. */
    static InlineDriver ahead(Simulation madeAlike, Reconciler reconciler, NanoClock clock) {
        return PhysicsService.builder(madeAlike).with(reconciler).inline(clock);
    }

    static void arrived(Reconciler reconciler, State state) {
        reconciler.offer(state.tick(), state.hash(), state.bytes()); // in any order; some may be lost
    }
}
