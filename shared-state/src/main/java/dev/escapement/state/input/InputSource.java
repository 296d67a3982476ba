package dev.escapement.state.input;

/**
 * A device that is read by the thread that ticks, right before a tick takes its input: for what can be read from any thread. What
 * must be waited for on a thread of its own, a window say, offers into the {@link InputRing} from there and needs no source.
 *
 * <pre>{@code
 * PhysicsService.builder(simulation)
 *         .source(ring -> ring.offer(System.nanoTime(), InputKind.AXIS_MOVED, 0, throttle.read(), 0))
 *         .start();
 * }</pre>
 *
 * <p><b>Loss.</b> A source whose {@link #poll} throws, or hangs until the physics thread is abandoned, is lost: after a restart it is not
 * polled, what it then offers is refused, and what it held comes up or returns to 0, as if it had been unplugged.
 */
@FunctionalInterface
public interface InputSource extends AutoCloseable {

    /**
     * Offers what has happened since the last call. Called on the physics thread before every tick, and about a hundred times a
     * second while simulated time stands still or goes slowly. It delays the tick, so it must neither wait nor allocate.
     *
     * <p>Stamp with the time at which it happened: what happened after the tick was due then waits for the next one. A full ring
     * refuses and counts, as it does for every producer.
     *
     * @param ring where to offer, this source's own way into the service's ring; its clock is that of the stamps
     */
    void poll(InputRing ring);

    /** Ends it. Called once, after the last poll; not on the physics thread if the service has failed before. */
    @Override
    default void close() {}
}
