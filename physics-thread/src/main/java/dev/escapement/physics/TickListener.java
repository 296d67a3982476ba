package dev.escapement.physics;

/**
 * Watches the physics thread at work, for measuring. Called on the physics thread after every publish; it must return at
 * once, allocate nothing and throw nothing, for its time is the tick's.
 *
 * @see PhysicsServiceBuilder#listener
 */
@FunctionalInterface
public interface TickListener {

    /**
     * A tick is over. All instants are the service's clock.
     *
     * @param tick           its number
     * @param dueNanos       when it was due
     * @param startedNanos   when it started; the difference is its lateness
     * @param steppedNanos   when the simulation had stepped
     * @param publishedNanos when its snapshot was handed over
     */
    void ticked(long tick, long dueNanos, long startedNanos, long steppedNanos, long publishedNanos);
}
