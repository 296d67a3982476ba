package dev.escapement.bench.rewind;

import dev.escapement.bench.demo.PushControls;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.Rewound;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.TickHistory;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

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
    private long tick;

    /**
     * Prepares a simulation, which this closes.
     *
     * @param pushes  how many bodies are pushed in a tick, at most
     * @param history keeps the past; null if the world does not go back
     */
    SeededWorld(Simulation simulation, int pushes, @Nullable TickHistory history) {
        this(simulation, pushes, builder(simulation, history), 0);
    }

    /** Prepares what a builder of the simulation makes, which begins after a tick. */
    SeededWorld(Simulation simulation, int pushes, PhysicsServiceBuilder builder, long tick) {
        this.simulation = simulation;
        this.pushes = pushes;
        this.tick = tick;
        driver = builder.inline(clock);
    }

    static PhysicsServiceBuilder builder(Simulation simulation, @Nullable TickHistory history) {
        PhysicsServiceBuilder builder = PhysicsService.builder(simulation).rate(RATE);
        return history == null ? builder : builder.history(history);
    }

    /** The last tick, by the simulation's count. */
    long tick() {
        return tick;
    }

    /** Runs ticks up to one, each with the input of a seed; ticks that run again keep the input that they had. */
    void run(long seed, long to) {
        while (tick < to) {
            tick++;
            clock.advance(RATE.nanosAt(1));
            SplittableRandom random = new SplittableRandom(seed * CODES + tick);
            for (int left = random.nextInt(pushes + 1); left > 0; left--) {
                float speed = (float) random.nextDouble(0.5, 1.5);
                driver.input()
                        .offer(
                                clock.nanoTime(),
                                InputKind.APPLICATION,
                                PushControls.PUSH_ONE,
                                random.nextInt(CODES),
                                speed);
            }
            driver.runDueTicks();
            went.join(); // throws why it could not go back
        }
    }

    /** Goes back, with the next tick; what came after is dropped. */
    void rewind(long to) {
        went = driver.rewind(to);
        tick = to;
    }

    /** Goes back, with the next tick; those after it run again with the input that they had. */
    void rerun(long to) {
        went = driver.rerun(to);
        tick = to;
    }

    /** Runs a tick with the input of a seed, and begins another run after an earlier one. */
    SeededWorld fork(long seed, long after, Simulation other) {
        CompletableFuture<PhysicsServiceBuilder> forked = driver.fork(after, () -> other);
        run(seed, tick + 1);
        return new SeededWorld(other, pushes, forked.join(), after);
    }

    @Override
    public void close() {
        driver.close();
    }
}
