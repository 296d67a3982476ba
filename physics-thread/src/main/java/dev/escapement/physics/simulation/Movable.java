package dev.escapement.physics.simulation;

/**
 * A {@linkplain Simulation#capability capability} of a {@link Simulation} that several threads may tick, one at a time. The threads of a
 * host do so. A simulation without this capability stays on the thread that has begun it.
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
     * Makes the calling thread the physics thread of this simulation. All that earlier physics threads did happens before this call. Called
     * between two ticks, and after {@link Simulation#begin()}.
     */
    void moveToCallingThread();
}
