package dev.escapement.state.input;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A device that the application owns and lends to one service after the other: a service that ends does not close it, and the next one
 * begins with what is held on it (keys, buttons, axes). What a full ring has refused is offered before the next poll, as
 * {@link TrackedSource} says.
 *
 * <pre>{@code
 * try (SdlGamepads gamepads = SdlGamepads.open(NanoClock.system())) {
 *     InputSource lent = new BorrowedSource(gamepads);
 *     PhysicsService first = PhysicsService.builder(simulation).source(lent).start();
 *     // when that has failed or was closed:
 *     PhysicsService next = PhysicsService.builder(another).source(lent).start();
 * }
 * }</pre>
 *
 * <p>Lend it to one service at a time, and to the next one only after {@code state()} of the one before shows that it has ended. Do not
 * lend a device again whose {@link #poll} threw or hung.
 *
 * <p>Polled by one thread at a time. Allocates only in the first poll for a service.
 */
public final class BorrowedSource implements InputSource {

    private final InputSource device;
    private @Nullable TrackedSource view;

    /**
     * Creates a source that lends a device.
     *
     * @param device the device to poll; the application closes it, after the services
     */
    public BorrowedSource(InputSource device) {
        this.device = Objects.requireNonNull(device, "device must not be null; pass the source that is to be lent");
    }

    @Override
    public void poll(InputRing ring) {
        TrackedSource current = view;
        if (current == null || !current.isViewOf(ring)) {
            TrackedSource next = new TrackedSource(ring, 0);
            if (current != null) {
                next.continueFrom(current);
            }
            current = next;
            view = next;
        }
        current.catchUp();
        if (!current.isBehind()) { // newer events come after it
            device.poll(current.ring());
        }
    }

    /** Does nothing: the application closes the device. */
    @Override
    public void close() {}
}
