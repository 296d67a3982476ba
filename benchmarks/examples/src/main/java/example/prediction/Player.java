package example.prediction;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.history.Reconciler;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.time.ManualClock;
import example.prediction.Server.Move;
import example.prediction.Server.State;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** The program of a player: the world with prediction, and for comparison without it. */
final class Player {

    /** By how many ticks it is ahead of the server, so that a move arrives there before its tick. */
    static final int AHEAD = (int) Server.RATE.tickAt(Way.MOST_NANOS);

    private static final int SAME_MOVE_TICKS = 40;

    final Picture predicted;

    /** As the server's states come. Each waits as long as the network may take, so that motion is even. */
    final Picture unpredicted;

    private final NavigableMap<Long, State> waiting = new TreeMap<>();
    private final int number;
    private final ManualClock clock = new ManualClock(0);
    private final Reconciler reconciler;
    private final InlineDriver driver;

    Player(int number) {
        this.number = number;
        predicted = new Picture(number);
        unpredicted = new Picture(number);
        reconciler = new Reconciler(StateHistory.ofTicks(100), told -> predicted.corrected(told.last()));
        driver = PhysicsService.builder(predicted.bowl)
                .rate(Server.RATE)
                .with(reconciler)
                .inline(clock);
    }

    void receive(State state) {
        reconciler.offer(state.tick(), state.hash(), state.bytes());
        waiting.put(state.tick(), state);
    }

    /** Called when the server runs a tick: runs the one that is ahead of it. */
    Move tick(long serverTick) {
        NavigableMap<Long, State> due = waiting.headMap(serverTick - AHEAD, true);
        if (!due.isEmpty()) {
            unpredicted.bowl.restore(new StateBuffer(due.lastEntry().getValue().bytes()));
            due.clear();
        }
        Move move = move(serverTick + AHEAD);
        clock.advance(Server.RATE.nanosAt(move.tick()) - clock.nanoTime());
        Server.offer(driver, clock, number, move);
        driver.runDueTicks();
        predicted.show(move);
        unpredicted.show(move);
        return move;
    }

    /** Pushes into some direction for a while, or rests. */
    private Move move(long tick) {
        SplittableRandom random = new SplittableRandom(31 * (tick / SAME_MOVE_TICKS) + number);
        double angle = random.nextDouble(2 * Math.PI);
        return random.nextInt(4) == 0
                ? new Move(tick, 0, 0)
                : new Move(tick, (float) Math.cos(angle), (float) Math.sin(angle));
    }
}
