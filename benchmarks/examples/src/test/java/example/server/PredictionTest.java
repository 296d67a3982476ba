package example.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.history.Reconciled;
import dev.escapement.physics.replay.history.Reconciler;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import example.engine.BouncingBalls;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PredictionTest {

    private static final long TICK_NANOS = 10_000_000;

    /** Another player tosses the balls in tick 5 of the server, of which the player's world learns once it has run 20 ticks. */
    @Test
    void shouldCorrectAWorldThatRunsAhead() {
        BouncingBalls world = new BouncingBalls(5, 7);
        BouncingBalls predicted = new BouncingBalls(5, 7);
        ManualClock clock = new ManualClock(0);
        ManualClock clockAhead = new ManualClock(0);
        List<Reconciled> corrected = new ArrayList<>();
        Reconciler reconciler = new Reconciler(StateHistory.ofTicks(100), corrected::add);
        try (InlineDriver server = PhysicsService.builder(world).inline(clock);
                InlineDriver player = Prediction.ahead(predicted, reconciler, clockAhead)) {
            clockAhead.advance(20 * TICK_NANOS);
            player.runDueTicks(20);
            for (int tick = 1; tick <= 20; tick++) {
                if (tick == 5) {
                    server.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, BouncingBalls.KEY_TOSS, 0, 0);
                }
                var state = Prediction.save(server, world);
                clock.advance(TICK_NANOS);
                server.runDueTicks();
                Prediction.arrived(reconciler, state.join().value());
            }
            clock.advance(TICK_NANOS);
            clockAhead.advance(TICK_NANOS);
            server.runDueTicks();
            player.runDueTicks();
            assertThat(predicted.hash()).isEqualTo(world.hash());
        }
        assertThat(corrected).extracting(Reconciled::outcome).containsExactly(Reconciled.Outcome.CORRECTED);
    }
}
