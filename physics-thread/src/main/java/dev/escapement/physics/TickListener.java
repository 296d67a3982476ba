package dev.escapement.physics;

/**
 * Receives the times of every tick, for measurements: the simplest {@link TickHook}, with the same errors. Called on the physics thread after
 * every publish. It must return quickly and allocate nothing: its run time counts against the tick.
 *
 * @see PhysicsServiceBuilder#listener
 */
@FunctionalInterface
public interface TickListener {

    /**
     * Called when a tick has ended. All instants are of the service's clock.
     *
     * @param tick           its number, by the count of readers
     * @param dueNanos       when it was due
     * @param startedNanos   when it started; the difference is its lateness
     * @param steppedNanos   when the simulation's step returned: devices, hooks and commands came before it
     * @param publishedNanos when its snapshot was published
     */
    void ticked(long tick, long dueNanos, long startedNanos, long steppedNanos, long publishedNanos);
}
