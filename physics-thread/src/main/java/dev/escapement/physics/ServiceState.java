package dev.escapement.physics;

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
     * The simulation threw and was closed, or hung, perhaps while it was closed for about 5 seconds, and was abandoned with its
     * thread; nothing ticks any more. What it used, an engine's world for example, is free again, unless it hangs.
     */
    FAILED,
    /** Closed without a failure. */
    CLOSED
}
