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

/**
 * The world of a player's own process, which runs ahead of the server's. It shows the player's actions at once. Later, states from the
 * server correct it.
 */
final class Prediction {

    private Prediction() {}

    @SuppressWarnings("ArrayRecordComponent") // records of this type are never compared
    record State(long tick, long hash, byte[] bytes) {}

    static <S extends Simulation & Restorable> CompletableFuture<Answer<State>> save(TickingWorld server, S world) {
        return server.query(tick -> {
            StateBuffer state = new StateBuffer();
            world.save(state);
            return new State(tick, world.hash(), state.toBytes());
        });
    }

    /**
     * Creates the driver of a predicted world. {@code clock} must run so far ahead of the server's clock that the player's input arrives at
     * the server before its tick.
     */
    static InlineDriver ahead(Simulation madeAlike, Reconciler reconciler, NanoClock clock) {
        return PhysicsService.builder(madeAlike).with(reconciler).inline(clock);
    }

    static void arrived(Reconciler reconciler, State state) {
        // States may come in any order, and some may be lost.
        reconciler.offer(state.tick(), state.hash(), state.bytes());
    }
}
