package dev.escapement.state.time;

/**
 * How a {@link Pacer} comes to its deadline: the one trades a little processor time for punctuality, the other does not.
 *
 * @see Pacer
 */
public enum Pacing {

    /**
     * Parks until shortly before the deadline, then spins, for at most 0.25 ms and a share of the time between deadlines (2 % of a core
     * by default). On time where a core is free and the timer oversleeps by no more than that, else late by what is missing. Where all
     * cores are busy, so that spinning loses them to others, it only parks for a while.
     */
    PARK_THEN_SPIN,

    /**
     * Parks until the deadline and never spins: as late as the operating system wakes a thread. For batteries, and for servers
     * with more worlds than cores.
     */
    PARK_ONLY
}
