package dev.escapement.bench.demo;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;

/**
 * A simulation ticked by the whole service on the calling thread, one tick per call, whose bodies are pushed as a player would:
 * at every tick, ten of them, so that they neither come to rest nor fall asleep.
 */
public final class PushedWorld implements AutoCloseable {

    private static final TickRate RATE = TickRate.hertz(100);
    private static final int PUSHES_PER_TICK = 10;
    private static final float PUSH_METRES_PER_SECOND = 1;
    private static final int STRIDE = 7919; // a prime: all bodies are pushed in turn, neighbours far apart

    private final ManualClock clock = new ManualClock(0);
    private final InlineDriver driver;
    private final SnapshotReader reader;
    private final int bodies;
    private int pushed;

    /** Prepares a simulation of {@code bodies} bodies, with what accompanies it; this closes it. */
    public PushedWorld(Simulation simulation, int bodies, TickHook... hooks) {
        this.bodies = bodies;
        PhysicsServiceBuilder builder =
                PhysicsService.builder(simulation).rate(RATE).maxReaders(1).preallocate(bodies);
        for (TickHook hook : hooks) {
            builder.with(hook);
        }
        driver = builder.inline(clock);
        reader = driver.newReader();
    }

    /** Makes the next tick due, with its input. */
    public void prepare() {
        clock.advance(RATE.nanosAt(1));
        for (int push = 0; push < PUSHES_PER_TICK && bodies > 0; push++) {
            pushed = (pushed + STRIDE) % bodies;
            if (!driver.input()
                    .offer(
                            clock.nanoTime(),
                            InputKind.APPLICATION,
                            PushControls.PUSH_ONE,
                            pushed,
                            PUSH_METRES_PER_SECOND)) {
                throw new IllegalStateException("the input of a tick was not drained");
            }
        }
    }

    /** Runs the tick that {@link #prepare()} made due. */
    public int tick() {
        return driver.runDueTicks();
    }

    /** Runs {@code ticks} ticks. */
    public void run(int ticks) {
        for (int tick = 0; tick < ticks; tick++) {
            prepare();
            tick();
        }
    }

    /** The poses published last; there are some after the third tick. */
    public PoseBlocks poses() {
        reader.acquire();
        return reader.window().newest().poses();
    }

    @Override
    public void close() {
        reader.close();
        driver.close();
    }
}
