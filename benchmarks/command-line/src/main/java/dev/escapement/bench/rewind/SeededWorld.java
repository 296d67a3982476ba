package dev.escapement.bench.rewind;

import dev.escapement.bench.demo.PushControls;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.replay.history.Rewound;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * A world on the calling thread. Its input depends on a seed and on the number of the tick alone, so that ticks that run again can be given
 * the same input, or another one.
 */
final class SeededWorld implements AutoCloseable {

    static final TickRate RATE = TickRate.hertz(100);

    private static final int CODES = 10_000;

    final Simulation simulation;
    final InlineDriver driver;
    private final int pushes;
    private final ManualClock clock = new ManualClock(0);
    private CompletableFuture<Rewound> went = CompletableFuture.completedFuture(new Rewound(0, 0, 0));

    /** The last simulation tick. */
    long tick;

    /**
     * Prepares a simulation, which this closes.
     *
     * @param pushes how many bodies are pushed in a tick, at most
     * @param set    completes the builder, as with a history if the world is to go back
     */
    SeededWorld(Simulation simulation, int pushes, UnaryOperator<PhysicsServiceBuilder> set) {
        this.simulation = simulation;
        this.pushes = pushes;
        driver = set.apply(PhysicsService.builder(simulation).rate(RATE)).inline(clock);
    }

    /** Runs ticks up to one, each with the input of a seed; ticks that run again keep the input that they had. */
    void run(long seed, long to) {
        while (tick < to) {
            tick++;
            clock.advance(RATE.nanosAt(1));
            SplittableRandom random = new SplittableRandom(seed * CODES + tick);
            for (int left = random.nextInt(pushes + 1); left > 0; left--) {
                float speed = (float) random.nextDouble(0.5, 1.5);
                push(clock.nanoTime(), random.nextInt(CODES), speed);
            }
            driver.runDueTicks();
            went.join(); // throws why it could not go back
        }
    }

    /** Pushes a body at a moment, in m/s. */
    void push(long dueNanos, int body, float speed) {
        driver.input().offer(dueNanos, InputKind.APPLICATION, PushControls.PUSH_ONE, body, speed);
    }

    /** Goes back, with the next tick; what came after is dropped. */
    void goBack(StateHistory history, long to) {
        went = history.rewind(to);
        tick = to;
    }

    /** Runs a tick with the input of a seed, and begins another run after an earlier one. */
    SeededWorld fork(StateHistory history, long seed, long after, Simulation other) {
        CompletableFuture<PhysicsServiceBuilder> forked = history.fork(after, () -> other);
        run(seed, tick + 1);
        SeededWorld fork = new SeededWorld(other, pushes, any -> forked.join());
        fork.tick = after;
        return fork;
    }

    @Override
    public void close() {
        driver.close();
    }
}
