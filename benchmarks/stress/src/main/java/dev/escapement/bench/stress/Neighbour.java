package dev.escapement.bench.stress;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The user's world beside others on a host: good, or one of those that others must not feel. Checks that its ticks come one after the
 * other, on one thread at a time, and that it is closed once. The host's threads call its methods as a simulation, any thread the others.
 */
final class Neighbour extends ForwardingSimulation {

    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

    /** How a world is to its neighbours. */
    enum Kind {
        GOOD,
        /** One of its steps throws. */
        THROWS,
        /** Each step takes 30 ms of a core. */
        SLOW,
        /** One of its steps does not return until it is released. */
        HANGS;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    final Kind kind;
    private final long badTick;
    private final Check oneByOne;
    private final Check leaves;
    private final CountDownLatch released = new CountDownLatch(1);

    // Written by one thread at a time, if the host is right; atomic, so that the check sees it if it is not.
    private final AtomicInteger inside = new AtomicInteger();
    final AtomicInteger ticks = new AtomicInteger();
    final AtomicInteger closes = new AtomicInteger();

    // Those of the thread that compares the neighbours.
    @Nullable
    PhysicsService physics;

    /** Its ticks at the last comparison. */
    int ticksBefore;

    /** Its ticks between the last two comparisons. */
    int newTicks;

    /** How many ticks another world had since its last one. */
    int missedTicks;

    /** @param badTick the tick that throws or hangs; slow steps begin with it */
    Neighbour(Simulation world, Kind kind, long badTick, Trial trial) {
        super(world);
        this.kind = kind;
        this.badTick = badTick;
        oneByOne = trial.check(Promise.WORLDS_ONE_BY_ONE);
        leaves = trial.check(Promise.WORLDS_LEAVE);
    }

    @Override
    public void step(Tick tick) throws Exception {
        enter("step");
        try {
            int expected = ticks.incrementAndGet();
            oneByOne.that(
                    tick.number() == expected,
                    () -> "a " + kind + " world ran tick " + tick.number() + " as its step number " + expected);
            if (tick.number() >= badTick) {
                misbehave();
            }
            super.step(tick);
        } finally {
            inside.set(0);
        }
    }

    @Override
    public void capture(PoseWriter poses) throws Exception {
        enter("capture");
        super.capture(poses);
        inside.set(0); // a world of which this throws has failed in any case
    }

    /** Notes that a call of the host begins. */
    void enter(String call) {
        oneByOne.that(
                inside.getAndIncrement() == 0,
                () -> "a thread called " + call + " of a " + kind + " world while another one was in it");
    }

    private void misbehave() throws Exception {
        switch (kind) {
            case THROWS -> throw new CommandStorm.Planned();
            case SLOW -> ThreadCounts.compute(SLOW_NANOS);
            case HANGS -> released.await();
            default -> {}
        }
    }

    /** Lets a step that hangs return. */
    void release() {
        released.countDown();
    }

    @Override
    public void close() {
        int times = closes.incrementAndGet();
        leaves.that(times == 1, () -> "a " + kind + " world was closed " + times + " times");
        enter("close");
        super.close();
    }
}
