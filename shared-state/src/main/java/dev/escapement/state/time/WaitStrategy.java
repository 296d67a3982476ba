package dev.escapement.state.time;

/**
 * How a {@link Pacer} waits for its deadline: with some spinning, to be on time, or without.
 *
 * @see Pacer
 */
public enum WaitStrategy {

    /**
     * Parks until shortly before the deadline, then spins, for at most 0.25 ms and a share of the time between deadlines (2 % of a core by
     * default). On time if a core is free and the timer oversleeps by no more than that; otherwise late by the difference. If all cores are
     * busy and a spinning thread loses its core, it only parks for a while.
     */
    PARK_THEN_SPIN,

    /**
     * Parks until the deadline and never spins: as late as the operating system wakes a thread. For batteries, and for servers
     * with more worlds than cores.
     */
    PARK_ONLY
}
