package example.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.replay.history.Reconciled;
import dev.escapement.physics.replay.history.Reconciler;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import example.engine.BouncingBalls;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Tests a server and a player's world that is 14 ticks ahead of it. The server's states arrive 7 ticks after their tick, and some are lost.
 */
class PredictionTest {

    private static final int AHEAD = 14;
    private static final int WAY = 7;
    private static final int LOST = 13;
    private static final long TICK_NANOS = 10_000_000;
    private static final int OWN_TOSS = 50;
    private static final int OTHER_TOSS = 100;
    private static final int TICKS = 200;

    private final List<Reconciled> corrected = new ArrayList<>();
    private final Reconciler reconciler = new Reconciler(StateHistory.ofTicks(100), corrected::add);
    private final long[] onServer = new long[TICKS + 1];
    private final long[] shown = new long[TICKS + 1];

    @Test
    void shouldPredictThePlayerAndBeCorrectedByOthers() {
        play();
        assertThat(shown).as("the own toss, too").startsWith(Arrays.copyOf(onServer, OTHER_TOSS));
        for (int tick = OTHER_TOSS; tick < OTHER_TOSS + AHEAD; tick++) {
            assertThat(shown[tick]).as("before the state arrives, tick " + tick).isNotEqualTo(onServer[tick]);
        }
        for (int tick = OTHER_TOSS + AHEAD + WAY + 2; tick <= TICKS; tick++) {
            assertThat(shown[tick]).as("corrected, tick " + tick).isEqualTo(onServer[tick]);
        }
        assertThat(corrected).hasSize(1);
        assertThat(corrected.get(0).outcome()).isEqualTo(Reconciled.Outcome.CORRECTED);
    }

    /** Runs both worlds, and records the player's hash of each tick when the player first sees the tick. */
    private void play() {
        BouncingBalls world = new BouncingBalls(5, 7);
        BouncingBalls predicted = new BouncingBalls(5, 7);
        ManualClock clock = new ManualClock(0);
        ManualClock clockAhead = new ManualClock(0);
        Queue<Prediction.State> underway = new ArrayDeque<>();
        try (InlineDriver server = PhysicsService.builder(world).inline(clock);
                InlineDriver player = Prediction.ahead(predicted, reconciler, clockAhead)) {
            for (int tick = 1; tick <= TICKS + AHEAD; tick++) {
                if (tick <= TICKS) {
                    clockAhead.advance(TICK_NANOS);
                    toss(player, clockAhead, tick == OWN_TOSS);
                    player.runDueTicks();
                    shown[tick] = predicted.hash();
                }
                int behind = tick - AHEAD;
                if (behind > 0) {
                    clock.advance(TICK_NANOS);
                    toss(server, clock, behind == OWN_TOSS || behind == OTHER_TOSS);
                    CompletableFuture<Answer<Prediction.State>> state = Prediction.save(server, world);
                    server.runDueTicks();
                    onServer[behind] = world.hash();
                    underway.add(state.join().value());
                }
                if (underway.size() > WAY) {
                    Prediction.State arrived = underway.remove();
                    if (arrived.tick() % LOST != 0) {
                        Prediction.arrived(reconciler, arrived);
                    }
                }
            }
        }
    }

    private static void toss(InlineDriver world, ManualClock clock, boolean tosses) {
        if (tosses) {
            assertThat(world.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, BouncingBalls.KEY_TOSS, 0, 0))
                    .isTrue();
        }
    }
}
