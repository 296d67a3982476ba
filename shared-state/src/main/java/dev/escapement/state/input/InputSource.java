package dev.escapement.state.input;

/**
 * A device that the physics thread polls right before each tick samples its input. For devices that can be read from any thread; one that
 * needs a thread of its own, such as a window, offers into the {@link InputRing} from there instead.
 *
 * <pre>{@code
 * PhysicsService.builder(simulation)
 *         .source(ring -> ring.offer(System.nanoTime(), InputKind.AXIS_MOVED, 0, throttle.read(), 0))
 *         .start();
 * }</pre>
 *
 * <p>A source whose {@link #poll} throws, or hangs until the physics thread is abandoned, fails the service, as the simulation does. The
 * service closes its sources when it ends; {@link BorrowedSource} lends a device to one service after the other.
 */
@FunctionalInterface
public interface InputSource extends AutoCloseable {

    /**
     * Offers what has happened since the last call. Called on the physics thread before every tick, and about a hundred times a
     * second while simulated time stands still or goes slowly. It delays the tick, so it must neither wait nor allocate.
     *
     * <p>Stamp each event with the time at which it happened: one that happened after the tick was due then waits for the next tick. A full
     * ring refuses events and counts them, as for every producer.
     *
     * @param ring where to offer: the service's ring. Stamps are instants of the service's clock
     */
    void poll(InputRing ring);

    /** Closes the device. Called once, after the last poll; not on the physics thread if that hangs elsewhere. */
    @Override
    default void close() {}
}
