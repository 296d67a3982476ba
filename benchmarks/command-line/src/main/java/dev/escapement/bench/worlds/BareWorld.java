package dev.escapement.bench.worlds;

import dev.escapement.physics.simulation.Movable;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.RecordedInput;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A simulation that is stepped without a service, and no more. Used by one thread after the other. */
final class BareWorld implements AutoCloseable {

    private final Simulation simulation;
    private final int number;
    private final WorldsMeter meter;
    private final RecordedInput none = new RecordedInput();
    private @Nullable Thread owner;
    private long ticks;

    BareWorld(Simulation simulation, int number, WorldsMeter meter) {
        this.simulation = simulation;
        this.number = number;
        this.meter = meter;
    }

    /** How many steps there were. */
    long ticks() {
        return ticks;
    }

    void tick(long dueNanos) {
        long startedNanos = System.nanoTime();
        try {
            own();
            simulation.step(Tick.of(WorldsMeter.RATE, ++ticks, dueNanos, 0, none.frame(), false));
        } catch (Throwable thrown) {
            meter.failed(thrown);
        }
        meter.ticked(number, dueNanos, startedNanos);
    }

    private void own() throws Exception {
        Thread caller = Thread.currentThread();
        if (owner == null) {
            simulation.begin();
        } else if (owner != caller) {
            move();
        }
        owner = caller;
    }

    private void move() {
        simulation.capability(Movable.class).orElseThrow().moveToCallingThread();
    }

    /** Ticks worlds together at the same instants until the thread is told to stop; skips those that have passed. */
    static void tickAll(List<BareWorld> worlds, long originNanos, BooleanSupplier stopped) {
        long tick = 0;
        while (!stopped.getAsBoolean()) {
            tick = Math.max(tick, WorldsMeter.RATE.tickAt(Math.max(0, System.nanoTime() - originNanos))) + 1;
            long dueNanos = originNanos + WorldsMeter.RATE.nanosAt(tick);
            for (long left = dueNanos - System.nanoTime(); left > 0; left = dueNanos - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            for (BareWorld world : worlds) {
                world.tick(dueNanos);
            }
        }
    }

    /** When no thread ticks it any more. */
    @Override
    public void close() {
        if (owner != null && owner != Thread.currentThread()) {
            move(); // its last thread may still be about to end
        }
        simulation.close();
    }
}
