package dev.escapement.physics;

/**
 * What a {@link Simulation} offers by its {@link Simulation#capability capabilities} if several threads may tick it, one at a time, as those of
 * a host do. All others stay on the thread that has begun them.
 *
 * <pre>{@code
 * final class Pendulum implements Simulation, Movable {
 *     ...
 *     public void moveToCallingThread() {} // nothing in it belongs to a thread
 * }
 * }</pre>
 */
@FunctionalInterface
public interface Movable {

    /**
     * Makes the calling thread the physics thread of this simulation. What earlier ones did happens before. Called between two ticks, and
     * after {@link Simulation#begin()}.
     */
    void moveToCallingThread();
}
