package dev.escapement.state.world;

/**
 * A column of {@link WorldControl#tickMetrics()}. Instants are nanoseconds of the service's clock.
 *
 * @see MetricRing.Reader#get
 */
public enum TickMetric {
    /** The number of the tick. */
    TICK,
    /** When the tick was due. */
    DUE_NANOS,
    /** When it started: later than it was due by its lateness. */
    STARTED_NANOS,
    /** When the simulation's step returned, the commands before it included. */
    STEPPED_NANOS,
    /** When its snapshot was published: the hooks after the step and the capture lie in between. */
    PUBLISHED_NANOS,
    /** When the rest of the tick was done: the delivery of its events, queries, listeners. */
    ENDED_NANOS,
    /** The time that this tick skipped because it was too late. */
    SKIPPED_NANOS,
    /** How many commands and queries ran since the tick before. */
    COMMANDS,
    /** How many events of bodies the tick had, if there was a subscriber. */
    EVENTS,
    /** How many input events the tick took. */
    INPUTS,
    /** The stamp of the first of those input events; 0 if there was none. */
    FIRST_INPUT_NANOS,
    /** How long one tick is, by the rate and the speed of time that the user wants. */
    PERIOD_NANOS,
    /**
     * How long the thread waited for a core from the end of the tick before until this one started. Read only if it started late, and
     * 0 in the first that is read; else, or if the system does not count it, {@link dev.escapement.state.thread.ThreadTimes#NOT_COUNTED}.
     */
    WAITED_BEFORE_NANOS,
    /** How long the thread ran in that time; not counted in the same cases. */
    RAN_BEFORE_NANOS,
    /**
     * How long the thread waited for a core until the tick ended: from its start if that was late, and else from the end of the tick before;
     * {@link dev.escapement.state.thread.ThreadTimes#NOT_COUNTED} if the system does not count it.
     */
    WAITED_NANOS,
    /** How long the thread ran in that time, or that it is not counted. */
    RAN_NANOS,
    /** How much later than a period after the last tick this tick was due, because time is slowed down: steps take longer than a tick. */
    SLOWED_NANOS
}
