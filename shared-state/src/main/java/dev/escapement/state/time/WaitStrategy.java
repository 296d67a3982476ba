package dev.escapement.state.time;

/**
 * The strategy of a {@link Pacer}: spin at the end of a wait, to be on time, or only park.
 *
 * @see Pacer
 */
public enum WaitStrategy {

    /**
     * Parks until shortly before the deadline, then spins, for at most 0.25 ms and 2 % of the time between deadlines. Waits end on time if
     * a core is free and the timer oversleeps by no more than the spin; otherwise they end late by the difference. A thread that loses its
     * core while it spins, because all cores are busy, only parks for a while.
     */
    PARK_THEN_SPIN,

    /**
     * Parks until the deadline and never spins. Waits end as late as the operating system wakes the thread. For devices on batteries, and
     * for servers with more worlds than cores.
     */
    PARK_ONLY
}
