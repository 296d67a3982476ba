package dev.escapement.state.time;

/**
 * How a {@link Pacer} comes to its deadline: the one trades a little processor time for punctuality, the other does not.
 *
 * @see Pacer
 */
public enum Pacing {

    /**
     * Parks until shortly before the deadline, then spins: on time where a core is free, for a small and bounded part of it. Where
     * all cores are busy, so that spinning loses them to others, it only parks for a while.
     */
    PARK_THEN_SPIN,

    /**
     * Parks until the deadline and never spins: as late as the operating system wakes a thread. For batteries, and for servers
     * with more worlds than cores.
     */
    PARK_ONLY
}
