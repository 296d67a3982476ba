package dev.escapement.bench.measure;

import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickTimes;

/** Measures the physics thread, on the physics thread. Read it when the service is closed. */
public final class TickTrace implements TickHook {

    private final Distribution lateness = new Distribution();
    private final Distribution step = new Distribution();
    private final Distribution publishDelay = new Distribution();
    private final InputTrace inputs = new InputTrace();
    private final ThreadMeter meter = new ThreadMeter();
    private final long warmUpNanos;
    private long firstDueNanos;
    private long measuredFromNanos;
    private long lastNanos;
    private long ticks;
    private boolean warm;

    // Written by the physics thread alone; the progress line reads it now and then.
    private volatile long ticksSoFar;

    /** Leaves the ticks due within {@code warmUpNanos} of the first out of the distributions. */
    public TickTrace(long warmUpNanos) {
        this.warmUpNanos = warmUpNanos;
    }

    @Override
    public void stepping(Tick tick) {
        inputs.stepping(tick);
    }

    @Override
    public void published(TickTimes times) {
        ticked(times.tick(), times.dueNanos(), times.startedNanos(), times.steppedNanos(), times.publishedNanos());
    }

    /** Adds a tick, also one of something else than a service. */
    public void ticked(long tick, long dueNanos, long startedNanos, long steppedNanos, long publishedNanos) {
        if (ticks++ == 0) {
            firstDueNanos = dueNanos;
            measuredFromNanos = startedNanos;
        }
        if (!warm && dueNanos - firstDueNanos >= warmUpNanos) {
            endWarmUp(lastNanos);
        }
        // The same work in the warm-up as after it, so that nothing runs for the first time while it counts.
        lateness.record(startedNanos - dueNanos);
        step.record(steppedNanos - startedNanos);
        publishDelay.record(publishedNanos - dueNanos);
        inputs.published(tick, dueNanos, publishedNanos);
        meter.roundEnded();
        lastNanos = publishedNanos;
        ticksSoFar = ticks;
    }

    private void endWarmUp(long nowNanos) {
        warm = true;
        measuredFromNanos = nowNanos;
        lateness.reset();
        step.reset();
        publishDelay.reset();
        inputs.reset();
        meter.reset();
    }

    /** How many ticks ran so far. Any thread. */
    public long ticks() {
        return ticksSoFar;
    }

    /** Start of a tick after it was due. */
    public Distribution lateness() {
        return lateness;
    }

    /** The simulation's step. */
    public Distribution step() {
        return step;
    }

    /** Publishing of a tick after it was due. */
    public Distribution publishDelay() {
        return publishDelay;
    }

    /** The latencies of input. */
    public InputTrace inputs() {
        return inputs;
    }

    /** When the warm-up ended, an instant of the clock. */
    long measuredFromNanos() {
        return measuredFromNanos;
    }

    /** Bytes the physics thread allocated per tick. */
    public double allocatedBytesPerTick() {
        return meter.allocatedBytesPerRound();
    }

    /** Processor time of the physics thread, as a share of one core. */
    public double corePercent() {
        return meter.corePercent(lastNanos - measuredFromNanos);
    }
}
