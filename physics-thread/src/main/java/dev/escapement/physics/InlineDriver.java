package dev.escapement.physics;

import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.time.NanoClock;

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

    InlineDriver(PhysicsServiceBuilder builder, NanoClock clock) {
        this.simulation = builder.simulation;
        this.clock = clock;
        parts = new TickParts(builder, clock, false);
        parts.schedule.start(clock.nanoTime());
    }

    /**
     * Runs the ticks that are due and have not run.
     *
     * @return how many were run
     * @throws IllegalStateException if the simulation threw a checked exception; an unchecked one is passed on
     */
    public int runDueTicks() {
        int ticks = 0;
        while (parts.schedule.nextDueNanos() - clock.nanoTime() <= 0) {
            runTick();
            ticks++;
        }
        return ticks;
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

    /** Closes the simulation. */
    @Override
    public void close() {
        simulation.close();
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
