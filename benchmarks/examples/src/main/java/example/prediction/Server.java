package example.prediction;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The authority: runs each tick once, with what has arrived of the players' input. */
final class Server {

    static final TickRate RATE = TickRate.hertz(100);

    /** What a player does in a tick. */
    record Move(long tick, float x, float z) {}

    /** What is sent to the players after a tick. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record State(long tick, long hash, byte[] bytes) {}

    final Bowl bowl = new Bowl();
    private final ManualClock clock = new ManualClock(0);
    private final InlineDriver driver = PhysicsService.builder(bowl).rate(RATE).inline(clock);
    private final List<NavigableMap<Long, Move>> arrived = List.of(new TreeMap<>(), new TreeMap<>());

    void receive(int player, Move move) {
        arrived.get(player).put(move.tick, move);
    }

    /** Runs a tick. A player whose move is lost goes on as before; one that comes too late is as good as lost. */
    State tick(long tick) {
        clock.advance(RATE.nanosAt(tick) - clock.nanoTime());
        for (int player = 0; player < Bowl.PLAYERS; player++) {
            NavigableMap<Long, Move> due = arrived.get(player).headMap(tick, true);
            if (!due.isEmpty()) {
                offer(driver, clock, player, due.lastEntry().getValue());
                due.clear();
            }
        }
        driver.runDueTicks();
        StateBuffer state = new StateBuffer();
        bowl.save(state);
        return new State(tick, bowl.hash(), state.toBytes());
    }

    static void offer(InlineDriver to, ManualClock clock, int player, Move move) {
        to.input().offer(clock.nanoTime(), InputKind.AXIS_MOVED, 2 * player, move.x, 0);
        to.input().offer(clock.nanoTime(), InputKind.AXIS_MOVED, 2 * player + 1, move.z, 0);
    }
}
