package dev.escapement.physics.loop;

import dev.escapement.physics.spi.TickTimes;
import dev.escapement.state.thread.ThreadTimes;

/** Measures the instants of a tick, and for how long its thread had no core. Physics thread only. */
final class MeasuredTimes implements TickTimes {

    /** How long waits are counted after a tick for which they mattered: short ticks come between long ones. */
    private static final int TICKS_COUNTED = 5;

    long tick;
    long simulationTick;

    long fromNanos;
    long dueNanos;
    long startedNanos;
    long steppedNanos;
    long publishedNanos;

    /** How long publishing was after the next tick was due, negative if before. */
    long overrunNanos;

    /** When all of the tick's work was done: events, queries and hooks come after its publish. */
    long endedNanos;

    /** How long the thread has worked since it published the tick before. */
    long workNanos;

    /** Nanoseconds that the thread was runnable without a core; 0 unless the schedule samples it. */
    long waitedNanos;

    private long countedNanos;
    private int countsLeft;

    /** Whether the thread does other work between two ticks, which counts for none. */
    private final boolean sharesThread;

    MeasuredTimes(boolean sharesThread) {
        this.sharesThread = sharesThread;
    }

    /** Called when the next tick starts. Returns its number, by the count of readers. */
    long begin(long nanos, TickSchedule schedule, ThreadTimes threadTimes) {
        if (sharesThread && countsLeft > 0) {
            countedNanos = threadTimes.waitedNanos();
        }
        startedNanos = nanos;
        tick = schedule.nextTick();
        fromNanos = schedule.timeline().resumeNanos(tick - 1);
        dueNanos = schedule.nextDueNanos();
        return tick;
    }

    /** Called right before its snapshot is published, when its poses were written. */
    void publishing(long nanos, long newSimulationTick, TickSchedule schedule, ThreadTimes threadTimes) {
        long afterPublishNanos = Math.max(0, endedNanos - publishedNanos); // of the tick before; 0 if its end threw
        workNanos = nanos - startedNanos + afterPublishNanos;
        countWait(schedule, threadTimes);
        publishedNanos = nanos;
        simulationTick = newSimulationTick;
        overrunNanos = nanos - schedule.timeline().dueNanos(tick + 1);
    }

    /** Counts only while ticks are long, and shortly after, because that is a call of the system, and so not in the first of them. */
    private void countWait(TickSchedule schedule, ThreadTimes threadTimes) {
        boolean countedBefore = countsLeft > 0;
        countsLeft = schedule.asksForWaits(workNanos) ? TICKS_COUNTED : Math.max(0, countsLeft - 1);
        waitedNanos = 0;
        if (countsLeft > 0) {
            long before = countedNanos;
            countedNanos = threadTimes.waitedNanos();
            if (countedBefore) {
                // A wait before the tick has made it late, and is no part of its work.
                long freeNanos = endedNanos - dueNanos > 0 ? endedNanos : dueNanos;
                long latenessNanos = sharesThread ? 0 : Math.max(0, startedNanos - freeNanos);
                waitedNanos = Math.max(0, Math.min(workNanos, countedNanos - before - latenessNanos));
            }
        }
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
