package dev.escapement.physics.spi;

import dev.escapement.state.snapshot.Snapshot;

/**
 * The instants of a tick, by the clock. Physics thread only; the run reuses one object for all ticks.
 *
 * @see TickHook#published
 */
public interface TickTimes {

    /** {@return the number of the tick, as readers count} */
    long tick();

    /** {@return the number of the tick, as the simulation counts} */
    long simulationTick();

    /** {@return when simulated time left the tick before: the tick's input begins at that instant} */
    long fromNanos();

    /** {@return when the tick was due} */
    long dueNanos();

    /** {@return when the tick started: its lateness is the difference to {@link #dueNanos()}} */
    long startedNanos();

    /** {@return when the simulation's step returned: devices, hooks and commands came before it} */
    long steppedNanos();

    /** {@return when its snapshot was {@linkplain Snapshot#publishedNanos() published}} */
    long publishedNanos();
}
