package dev.escapement.physics.loop;

import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.internal.FirstFailure;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Polls and closes the devices of a run. If a poll hangs, only its thread can close that device.
 *
 * <p>Physics thread only, except {@link #close}, which is also called after that thread has ended or was abandoned. Polling allocates
 * nothing.
 *
 * <p>See {@code PhysicsServiceBuilder.source}.
 */
public final class InputDevices {

    private static final int NONE = -1;

    private final List<InputSource> devices;
    private final InputRing ring;
    private final UserCodeGuard guard;

    // The device whose poll runs, threw or hangs. Plain: written before UserCodeGuard.enter(), whose release the
    // abandoning thread acquires; otherwise read after the physics thread has ended.
    private int polled = NONE;

    // Atomic, and incremented before a device is closed: an abandoned physics thread and the thread that closes in its
    // place may both be in close(). If the close() of a device hangs in one of them, the other closes the next devices.
    private final AtomicInteger nextToClose = new AtomicInteger();

    InputDevices(List<InputSource> devices, InputRing ring, UserCodeGuard guard) {
        this.devices = devices;
        this.ring = ring;
        this.guard = guard;
    }

    boolean isEmpty() {
        return devices.isEmpty();
    }

    void poll() {
        for (int i = 0; i < devices.size(); i++) {
            polled = i;
            guard.enter();
            devices.get(i).poll(ring);
            guard.exit();
            polled = NONE;
        }
    }

    /**
     * Closes the device whose poll threw or hung. Only the thread that polled it may call this: it alone knows that the poll has returned.
     */
    void closePolled(Consumer<Throwable> failed) {
        if (polled != NONE) {
            FirstFailure.closeReporting(devices.get(polled), failed);
        }
    }

    /** Closes all devices, except the device whose poll threw or hung, and devices that another call closes. Idempotent. */
    public void close(Consumer<Throwable> failed) {
        for (int i = nextToClose.getAndIncrement(); i < devices.size(); i = nextToClose.getAndIncrement()) {
            if (i != polled) {
                FirstFailure.closeReporting(devices.get(i), failed);
            }
        }
    }
}
