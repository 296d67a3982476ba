package dev.escapement.physics.simulation;

import dev.escapement.physics.PhysicsService;

/**
 * The state of a {@link PhysicsService}.
 *
 * @see PhysicsService#state()
 */
public enum ServiceState {
    /** Built, but simulated time has not started. */
    NEW,
    /** Ticking. */
    RUNNING,
    /** Simulated time stands still. */
    PAUSED,
    /**
     * The simulation threw and was closed, or it hung and was abandoned with its thread; nothing ticks any more. Unless the simulation
     * hangs, the objects that it used, for example an engine's world, may be used again. A failed service stays FAILED when it is closed.
     */
    FAILED,
    /** Closed without a failure. */
    CLOSED
}
