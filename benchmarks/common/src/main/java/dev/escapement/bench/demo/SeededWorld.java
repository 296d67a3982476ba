package dev.escapement.bench.demo;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.replay.history.Rewound;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.restore.StateHash;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * A world that ticks on the calling thread, with bodies pushed as by a player. The pushes depend only on a seed and the tick number, so a
 * world that seeks back can be given the same or other pushes.
 */
public final class SeededWorld implements AutoCloseable {

    public static final TickRate RATE = TickRate.hertz(100);

    private static final int SEED_FACTOR = 10_000;
    private static final int MAX_BODY = (1 << 16) - 1;

    private final Simulation simulation;
    private final InlineDriver driver;
    private final int pushes;
    private final ManualClock clock = new ManualClock(0);
    private CompletableFuture<Rewound> returned = CompletableFuture.completedFuture(new Rewound(0, 0, 0));
    private long tick;

    /**
     * Wraps a simulation, which {@link #close} closes.
     *
     * @param pushes how many bodies are pushed in a tick, at most
     * @param set    completes the builder, for example with a history for a world that seeks back
     */
    public SeededWorld(Simulation simulation, int pushes, UnaryOperator<PhysicsServiceBuilder> set) {
        this.simulation = simulation;
        this.pushes = pushes;
        driver = set.apply(PhysicsService.builder(simulation).rate(RATE)).inline(clock);
    }

    /** Runs the ticks up to {@code to}, with the pushes of a seed. A tick that a history re-simulates keeps the pushes of its first run. */
    public void run(long seed, long to) {
        while (tick < to) {
            tick++;
            clock.advance(RATE.nanosAt(1));
            // Hashes the tick number, because a random generator would allocate.
            long bits = StateHash.finish(seed * SEED_FACTOR + tick);
            for (long left = Long.remainderUnsigned(bits, pushes + 1L); left > 0; left--) {
                bits = StateHash.finish(bits + 1);
                float speed = (float) (0.5 + (double) (bits >>> 40) * 0x1p-24);
                driver.input()
                        .offer(
                                clock.nanoTime(),
                                InputKind.APPLICATION,
                                PushControls.PUSH_ONE,
                                (int) bits & MAX_BODY,
                                speed);
            }
            driver.runDueTicks();
            returned.join(); // throws the failure of a requested seek
        }
    }

    public long tick() {
        return tick;
    }

    public long hash() {
        return simulation.hash();
    }

    public SnapshotReader newReader() {
        return driver.newReader();
    }

    /** Requests a seek to tick {@code to}. The next tick performs it, and drops all ticks after {@code to}. */
    public void goBack(StateHistory history, long to) {
        returned = history.rewind(to);
        tick = to;
    }

    /** Performs a requested seek at once, without running a tick. */
    public void goBackNow() {
        driver.runDueTicks(); // runs no tick, because none is due, but performs the seek
        returned.join();
    }

    @Override
    public void close() {
        driver.close();
    }
}
