package dev.escapement.physics.simulation;

/**
 * The state of a {@code PhysicsService}.
 *
 * <p>See {@code PhysicsService.state}.
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
