package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.command.Command;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.Await;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a thread whose offer overflows its stack gets the error, and that no other thread notices. */
@Timeout(240)
class DeepStackTest {

    private static final int STACKS = 30;
    private static final int STACK_BYTES = 200_000;
    private static final int MAX_DEPTH = 1_000_000;

    /** The number of offers in a row without an overflow after which the stack has room enough. */
    private static final int ENOUGH = 8;

    private final Simulation noBodies = new ScriptedSimulation(tick -> {}) {
        @Override
        public void capture(PoseWriter poses) {}
    };
    private final PhysicsService service = PhysicsService.builder(noBodies)
            .rate(TickRate.hertz(1000))
            .commands(1 << 15, 1 << 15)
            .start();
    private final Command<Long> command = tick -> tick;
    private final Command.Spawn<Long> spawnInVain = (tick, id) -> {
        throw new IllegalStateException("there is no room for another crate");
    };
    private final List<CompletableFuture<?>> returned = new ArrayList<>(1 << 15);
    private int inARow;
    private int tooDeep;

    /** Offers commands at every depth of small stacks, so that the stack overflows once in each call that an offer makes. */
    @Test
    void shouldResumeAfterCommandsThatOverflowedTheStack() throws Exception {
        give(0); // loads and links all classes first
        give(1);
        give(2);
        for (int i = 0; i < STACKS; i++) {
            int kind = i % 3;
            Thread thread = new Thread(null, () -> down(0, kind), "deep", STACK_BYTES + i / 3 * 4096L);
            thread.start();
            thread.join();
        }
        assertThat(tooDeep).isGreaterThan(STACKS);
        assertThat(Await.get(service.command(tick -> "ran")).value()).isEqualTo("ran");
        assertThat(Await.get(service.query(tick -> "ran")).value()).isEqualTo("ran");
        for (CompletableFuture<?> each : returned) {
            Await.get(each.handle((answer, failure) -> true));
        }
        service.close();
        assertThat(service.failure()).isEmpty();
        assertThat(service.state()).isEqualTo(ServiceState.CLOSED);
    }

    private void down(int depth, int kind) {
        try {
            if (depth < MAX_DEPTH) {
                down(depth + 1, kind);
            }
        } catch (StackOverflowError deepest) {
            inARow = 0;
        }
        if (inARow < ENOUGH) {
            try {
                give(kind);
            } catch (StackOverflowError overflow) {
                tooDeep++;
                inARow = 0;
            }
        }
    }

    private void give(int kind) {
        returned.add(
                switch (kind) {
                    case 0 -> service.command(command);
                    case 1 -> service.query(command);
                    default -> service.spawn(spawnInVain).answer();
                });
        inARow++;
    }
}
