package dev.escapement.state.input;

/**
 * A device that the physics thread polls right before each tick samples its input.
 *
 * <p>For devices that any thread can read. A device that needs its own thread, such as a window, offers into the {@link InputRing} from
 * that thread instead.
 *
 * <pre>{@code
 * PhysicsService.builder(simulation)
 *         .source(sink -> sink.offer(System.nanoTime(), InputKind.AXIS_MOVED, 0, throttle.read(), 0))
 *         .start();
 * }</pre>
 *
 * <p>A source whose {@link #poll} throws, or hangs until the physics thread is abandoned, fails the service, as the simulation does. The
 * service closes its sources when it ends; {@link BorrowedSource} lends a device to one service after the other.
 */
@FunctionalInterface
public interface InputSource extends AutoCloseable {

    /**
     * Offers the events since the last call.
     *
     * <p>The physics thread calls this before every tick, and about a hundred times a second while simulated time stands still or goes
     * slowly. The call delays the tick, so it must neither wait nor allocate.
     *
     * <p>Stamp each event with the time at which it happened; an event stamped after the tick was due then waits for the next tick. A full
     * ring refuses and counts events, as for every producer.
     *
     * @param sink takes the events; stamps are instants of the service's clock
     */
    void poll(InputSink sink);

    /** Closes the device. The service calls this once, after the last poll, on another thread if the physics thread hangs elsewhere. */
    @Override
    default void close() {}
}
