package dev.escapement.physics;

/**
 * The instants of a tick, by the clock. The thread that ticks alone; reused from tick to tick.
 *
 * @see TickHook#published
 */
public final class TickTimes {

    long tick;
    long simulationTick;

    /** When simulated time left the tick before. */
    long fromNanos;

    long dueNanos;
    long startedNanos;
    long steppedNanos;
    long publishedNanos;

    /** How long publishing was after the next tick was due, negative if before. */
    long overrunNanos;

    TickTimes() {}

    /** Called when the next tick starts. Returns its number, by the count of readers. */
    long begin(long nanos, TickSchedule schedule) {
        startedNanos = nanos;
        tick = schedule.nextTick();
        fromNanos = schedule.timeline().resumeNanos(tick - 1);
        dueNanos = schedule.nextDueNanos();
        return tick;
    }

    /** Called when its poses were written. */
    void end(long nanos, long newSimulationTick, TickSchedule schedule) {
        publishedNanos = nanos;
        simulationTick = newSimulationTick;
        overrunNanos = nanos - schedule.timeline().dueNanos(tick + 1);
    }

    /** {@return its number, by the count of readers} */
    public long tick() {
        return tick;
    }

    /** {@return its number, by the count of the simulation} */
    public long simulationTick() {
        return simulationTick;
    }

    /** {@return when it was due} */
    public long dueNanos() {
        return dueNanos;
    }

    /** {@return when it started; the difference is its lateness} */
    public long startedNanos() {
        return startedNanos;
    }

    /** {@return when the simulation's step returned: devices, hooks and commands came before it} */
    public long steppedNanos() {
        return steppedNanos;
    }

    /** {@return when its snapshot was {@linkplain dev.escapement.state.snapshot.Snapshot#publishedNanos() published}} */
    public long publishedNanos() {
        return publishedNanos;
    }
}
