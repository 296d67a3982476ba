package dev.escapement.physics.loop;

import dev.escapement.physics.spi.TickTimes;

/** Measures the instants of a tick. Physics thread only. */
final class MeasuredTimes implements TickTimes {

    long tick;
    long simulationTick;

    long fromNanos;
    long dueNanos;
    long startedNanos;
    long steppedNanos;
    long publishedNanos;

    /** Nanoseconds from the due time of the next tick to the publish; negative if the publish came first. */
    long overrunNanos;

    /** The end of the tick's work: events, queries and hooks come after its publish. */
    long endedNanos;

    /** The work of the thread since it published the tick before. */
    long workNanos;

    void begin(long nanos, TickSchedule schedule) {
        startedNanos = nanos;
        tick = schedule.nextTick();
        fromNanos = schedule.timeline().resumeNanos(tick - 1);
        dueNanos = schedule.nextDueNanos();
    }

    /** Called when the poses are written, right before the snapshot is published. */
    void publishing(long nanos, long newSimulationTick, TickSchedule schedule) {
        long afterPublishNanos = Math.max(0, endedNanos - publishedNanos); // of the tick before; 0 if it threw there
        workNanos = nanos - startedNanos + afterPublishNanos;
        publishedNanos = nanos;
        simulationTick = newSimulationTick;
        overrunNanos = nanos - schedule.timeline().dueNanos(tick + 1);
    }

    @Override
    public long tick() {
        return tick;
    }

    @Override
    public long simulationTick() {
        return simulationTick;
    }

    @Override
    public long fromNanos() {
        return fromNanos;
    }

    @Override
    public long dueNanos() {
        return dueNanos;
    }

    @Override
    public long startedNanos() {
        return startedNanos;
    }

    @Override
    public long steppedNanos() {
        return steppedNanos;
    }

    @Override
    public long publishedNanos() {
        return publishedNanos;
    }
}
