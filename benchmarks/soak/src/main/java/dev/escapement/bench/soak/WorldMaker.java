package dev.escapement.bench.soak;

import dev.escapement.bench.stress.ledger.Worker;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.time.TickRate;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes the user's worlds: the first at once, so that bad input is told before the run. Any thread. */
final class WorldMaker implements AutoCloseable {

    /** A world that takes longer to be made hangs, even without a core. */
    static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(120);

    private final String name;
    private final TickRate rate;
    private final Supplier<? extends Simulation> worlds;
    private final long maxNanos;

    /** Until a service takes it: no call but the constructor is by the thread that made it, to which an engine may be bound. */
    private final AtomicReference<@Nullable Simulation> first;

    /**
     * Makes the first world.
     *
     * @param name     empty for the name of its class
     * @param rate     the ticks that it gets
     * @param maxNanos how long each may take that is made later
     * @throws IllegalArgumentException if it cannot be made
     */
    WorldMaker(String name, Supplier<? extends Simulation> worlds, TickRate rate, long maxNanos) {
        this.maxNanos = maxNanos;
        this.worlds = worlds;
        this.rate = rate;
        try {
            Simulation made = makeHere();
            first = new AtomicReference<>(made);
            this.name = name.isEmpty() ? made.getClass().getName() : name;
        } catch (RuntimeException | LinkageError | AssertionError e) {
            throw new IllegalArgumentException("the world cannot be made: " + e, e);
        }
    }

    String name() {
        return name;
    }

    TickRate rate() {
        return rate;
    }

    /**
     * {@return a world, made on a thread of its own, so that the caller goes on where a constructor hangs}
     *
     * @throws IllegalStateException if it cannot be made, or not in time
     */
    Simulation make() {
        Simulation waiting = first.getAndSet(null);
        if (waiting != null) {
            return waiting;
        }
        AtomicReference<@Nullable Simulation> made = new AtomicReference<>();
        Worker maker = Worker.start("soak-world", self -> made.set(makeHere()));
        if (!maker.end(maxNanos)) {
            throw new IllegalStateException("the constructor of the world hangs: " + maker);
        }
        return Objects.requireNonNull(made.get());
    }

    /** {@return a world, made by the caller's thread} */
    Simulation makeHere() {
        return Objects.requireNonNull(worlds.get(), "what makes worlds returned null");
    }

    /** Closes the first world, if a run was ended before it took it. */
    @Override
    public void close() {
        Simulation unused = first.getAndSet(null);
        if (unused != null) {
            unused.close();
        }
    }
}
