package dev.escapement.state.input;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A device that one service after the other borrows from the application.
 *
 * <p>A service that ends does not close the device, and the next one begins with the held keys, buttons and axes. Before each poll, the
 * source offers the changes that a full or disabled ring has refused, its backlog; see {@link TrackedSource}.
 *
 * <pre>{@code
 * try (SdlGamepads gamepads = SdlGamepads.open(NanoClock.system())) {
 *     InputSource borrowed = new BorrowedSource(gamepads);
 *     PhysicsService first = PhysicsService.builder(simulation).source(borrowed).start();
 *     // when the first service has failed or was closed:
 *     PhysicsService next = PhysicsService.builder(another).source(borrowed).start();
 * }
 * }</pre>
 *
 * <p>Pass it to one service at a time, and to the next one only after the {@code state()} of the service before shows its end. Do not reuse
 * a device whose {@link #poll} threw or hung. Allocates only in the first poll for a service.
 */
public final class BorrowedSource implements InputSource {

    private final InputSource device;
    private @Nullable TrackedSource tracked;

    /**
     * Creates a source that borrows a device.
     *
     * @param device the device to poll; the application closes it, after the services
     */
    public BorrowedSource(InputSource device) {
        this.device = Objects.requireNonNull(device, "device must not be null; pass the source that services borrow");
    }

    @Override
    public void poll(InputSink sink) {
        TrackedSource current = tracked;
        if (current == null || current.ring() != sink.ring()) {
            current = new TrackedSource(sink.ring(), 0, current);
            tracked = current;
        }
        current.catchUp();
        if (!current.hasBacklog) { // else newer events could overtake the backlog
            device.poll(current);
        }
    }

    /** {@return whether events wait for room in the ring} If so, poll again, even without new events. Only the polling thread may ask. */
    public boolean hasBacklog() {
        TrackedSource current = tracked;
        return current != null && (current.hasBacklog || current.refusedPointers != 0);
    }

    /** Does nothing: the application closes the device. */
    @Override
    public void close() {}
}
