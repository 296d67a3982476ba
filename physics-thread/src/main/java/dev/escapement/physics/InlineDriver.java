package dev.escapement.physics;

import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TimeScale;

/**
 * Ticks a {@link Simulation} inside the caller's own loop: the same parts as a {@link PhysicsService}, without a thread. It
 * runs every tick that is due and gives none up; on a manual clock it is exactly reproducible.
 *
 * <pre>{@code
 * InlineDriver driver = PhysicsService.builder(simulation).inline(NanoClock.system());
 * while (playing) {
 *     driver.runDueTicks();
 *     view.advance(System.nanoTime());
 * }
 * }</pre>
 *
 * <p>One thread, except {@link #newReader()} and {@link #input()}.
 */
public final class InlineDriver implements AutoCloseable {

    private final Simulation simulation;
    private final NanoClock clock;
    private final TickParts parts;
    private boolean closed;

    InlineDriver(PhysicsServiceBuilder builder, NanoClock clock) {
        this.simulation = builder.simulation;
        this.clock = clock;
        parts = new TickParts(builder, clock, LateTicks.runAll());
        parts.schedule.start(clock.nanoTime(), TimeScale.ONE);
    }

    /**
     * Runs the ticks that are due and have not run, none while time stands still.
     *
     * @return how many were run
     * @throws IllegalStateException if the driver was closed, or the simulation threw a checked exception; an unchecked one
     *                               is passed on
     */
    public int runDueTicks() {
        if (closed) {
            throw new IllegalStateException("this driver was closed, and its simulation with it");
        }
        int ticks = 0;
        long nowNanos = clock.nanoTime(); // once: ticks that take longer than their period would never catch up
        if (parts.schedule.isPaused()) {
            parts.loop.runPaused();
        }
        while (!parts.schedule.isPaused() && parts.schedule.nextDueNanos() - nowNanos <= 0) {
            runTick();
            ticks++;
        }
        return ticks;
    }

    /** Lets simulated time stand still at the end of the next tick. */
    public void pause() {
        parts.time.pause();
    }

    /** Lets simulated time go on from the next call of {@link #runDueTicks()}. */
    public void resume() {
        parts.time.resume();
    }

    /** Lets one tick pass, at the speed set, and then time stand still. */
    public void step() {
        parts.time.step();
    }

    /**
     * Sets how fast simulated time runs, from the end of the next tick on.
     *
     * @param scale simulated over real time
     * @throws IllegalArgumentException if the rate times the scale is no tick rate
     */
    public void timeScale(TimeScale scale) {
        parts.time.scale(scale);
    }

    /**
     * Attaches a reader.
     *
     * @return a reader for one thread
     * @throws IllegalStateException if all readers the driver was built for are attached
     */
    public SnapshotReader newReader() {
        return parts.exchange.attach();
    }

    /**
     * Where input is offered.
     *
     * @return the ring that is drained at every tick
     */
    public InputRing input() {
        return parts.input;
    }

    /**
     * How long the ticks took, and how late they were run.
     *
     * @return the statistics since the start
     */
    public PhysicsStats stats() {
        return parts.stats;
    }

    /** Closes the simulation. Idempotent. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            simulation.close();
        }
    }

    private void runTick() {
        try {
            parts.loop.runTick();
        } catch (RuntimeException unchecked) {
            throw unchecked;
        } catch (Exception checked) {
            throw new IllegalStateException("tick " + parts.schedule.nextTick() + " failed: " + checked, checked);
        }
    }
}
