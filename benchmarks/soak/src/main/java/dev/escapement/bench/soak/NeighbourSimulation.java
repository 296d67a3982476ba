package dev.escapement.bench.soak;

import dev.escapement.bench.stress.trial.Check;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.world.ForwardingSimulation;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The user's world beside others on a host: good, or one of those that others must not feel. It checks that its ticks come one after the
 * other. The host's threads call it, but what returns a count, and {@link #release()}: any thread.
 */
final class NeighbourSimulation extends ForwardingSimulation {

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

    /** Thrown by steps on purpose. */
    static final class Planned extends Exception {
        private static final long serialVersionUID = 1;

        Planned() {
            super("a world of the storm throws", null, false, false);
        }
    }

    private final Kind kind;
    private final long badTick;
    private final Check oneByOne;
    private final CountDownLatch released = new CountDownLatch(1);

    // Written by one thread at a time, if the host is right; atomic, so that the check sees it if it is not.
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger ticks = new AtomicInteger();
    private final AtomicInteger closes = new AtomicInteger();

    /** @param badTick the tick that throws or hangs; slow steps begin with it */
    NeighbourSimulation(Simulation world, Kind kind, long badTick, Check oneByOne) {
        super(world);
        this.kind = kind;
        this.badTick = badTick;
        this.oneByOne = oneByOne;
    }

    @Override
    public void step(Tick tick) throws Exception {
        enter(tick.number());
        if (tick.number() >= badTick) {
            misbehave();
        }
        super.step(tick);
        inside.set(0);
    }

    /** A step begins. */
    void enter(long tick) {
        boolean isAlone = inside.getAndIncrement() == 0;
        int expected = ticks.incrementAndGet();
        oneByOne.that(
                isAlone && tick == expected,
                () -> "a " + kind + " world ran tick " + tick + " as its step number " + expected
                        + (isAlone ? "" : ", while another thread was in a step"));
    }

    private void misbehave() throws Exception {
        switch (kind) {
            case THROWS -> throw new Planned();
            case SLOW -> ThreadCounts.compute(SLOW_NANOS);
            case HANGS -> released.await();
            default -> {}
        }
    }

    /** Lets a step that hangs return. */
    void release() {
        released.countDown();
    }

    Kind kind() {
        return kind;
    }

    int ticks() {
        return ticks.get();
    }

    /** How often it was closed. */
    int closes() {
        return closes.get();
    }

    @Override
    public void close() {
        closes.incrementAndGet();
        super.close();
    }
}
