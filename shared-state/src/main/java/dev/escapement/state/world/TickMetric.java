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
    FIRST_INPUT_NANOS
}
