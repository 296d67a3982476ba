package dev.escapement.state.world;

/**
 * A column of {@link WorldControl#tickMetrics()}. Instants are nanoseconds of the service's clock.
 *
 * @see MetricRing.Reader#get
 */
public enum TickMetric {
    /** The number of the tick. */
    TICK,
    /** The due time of the tick. */
    DUE_NANOS,
    /** The start of the tick. The tick is late by the difference to {@link #DUE_NANOS}. */
    STARTED_NANOS,
    /** The end of the simulation's step, which follows the commands. */
    STEPPED_NANOS,
    /** The publish of the snapshot, after the hooks and the capture. */
    PUBLISHED_NANOS,
    /** The end of the tick, after the delivery of its events, its queries and hooks. */
    ENDED_NANOS,
    /** The time that this tick skipped because it was too late. */
    SKIPPED_NANOS,
    /** The number of commands and queries since the tick before. */
    COMMANDS,
    /** The length of a tick by the rate and the requested speed of time. */
    PERIOD_NANOS,
    /**
     * The time that the thread waited for a core between the end of the tick before and the start of this one. Read only after a late
     * start, and 0 in the first such tick; {@link dev.escapement.state.thread.ThreadTimes#NOT_COUNTED} otherwise, or if the system does not
     * count.
     */
    WAITED_BEFORE_NANOS,
    /** The time that the thread ran in the interval of {@link #WAITED_BEFORE_NANOS}. Also counted where the waiting time is not. */
    RAN_BEFORE_NANOS,
    /**
     * The time that the thread waited for a core until the end of the tick, counted from the start of the tick if that was late, and else
     * from the end of the tick before; {@link dev.escapement.state.thread.ThreadTimes#NOT_COUNTED} if the system does not count.
     */
    WAITED_NANOS,
    /** The time that the thread ran in the interval of {@link #WAITED_NANOS}. Also counted where the waiting time is not. */
    RAN_NANOS,
    /**
     * The time by which this tick is due later than one period after the tick before, because steps take longer than a tick and time is
     * dilated.
     */
    SLOWED_NANOS
}
