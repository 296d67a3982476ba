package dev.escapement.physics.loop;

import dev.escapement.physics.spi.TickTimes;
import dev.escapement.state.thread.ThreadTimes;

/** Measures the instants of a tick, and for how long its thread had no core. Physics thread only. */
final class MeasuredTimes implements TickTimes {

    /** The number of ticks that count waits after one whose waits mattered, because short ticks come between long ones. */
    private static final int TICKS_COUNTED = 5;

    long tick;
    long simulationTick;

    long fromNanos;
    long dueNanos;
    long startedNanos;
    long steppedNanos;
    long publishedNanos;

    /** From the due time of the next tick to the publish; negative if that came first. */
    long overrunNanos;

    /** The end of the tick's work: events, queries and hooks come after its publish. */
    long endedNanos;

    /** The work of the thread since it published the tick before. */
    long workNanos;

    /** Nanoseconds that the thread was runnable without a core; 0 unless the schedule samples it. */
    long waitedNanos;

    private long countedNanos;
    private int countsLeft;

    /** Whether the thread does other work between two ticks, which counts for no tick. */
    private final boolean sharesThread;

    MeasuredTimes(boolean sharesThread) {
        this.sharesThread = sharesThread;
    }

    /** Called when the next tick starts. */
    void begin(long nanos, TickSchedule schedule, ThreadTimes threadTimes) {
        if (sharesThread && countsLeft > 0) {
            countedNanos = threadTimes.waitedNanos();
        }
        startedNanos = nanos;
        tick = schedule.nextTick();
        fromNanos = schedule.timeline().resumeNanos(tick - 1);
        dueNanos = schedule.nextDueNanos();
    }

    /** Called when the poses are written, right before the snapshot is published. */
    void publishing(long nanos, long newSimulationTick, TickSchedule schedule, ThreadTimes threadTimes) {
        long afterPublishNanos = Math.max(0, endedNanos - publishedNanos); // of the tick before; 0 if its end threw
        workNanos = nanos - startedNanos + afterPublishNanos;
        countWait(schedule, threadTimes);
        publishedNanos = nanos;
        simulationTick = newSimulationTick;
        overrunNanos = nanos - schedule.timeline().dueNanos(tick + 1);
    }

    /** Counts waits only while ticks are long, and shortly after, because that is a system call. The first long tick counts none. */
    private void countWait(TickSchedule schedule, ThreadTimes threadTimes) {
        boolean countedBefore = countsLeft > 0;
        countsLeft = schedule.asksForWaits(workNanos) ? TICKS_COUNTED : Math.max(0, countsLeft - 1);
        waitedNanos = 0;
        if (countsLeft > 0) {
            long before = countedNanos;
            countedNanos = threadTimes.waitedNanos();
            if (countedBefore) {
                // A wait before the tick has made the tick late, and is no part of its work.
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
