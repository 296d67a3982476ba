package dev.escapement.physics.usercode;

import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.thread.FirstFailure;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The devices that a physics thread polls, and which of them it polls now: if a poll hangs, only its thread can close that device.
 *
 * <p>Physics thread only, except {@link #close()}, which is also called after that thread has ended or was abandoned. Polling allocates
 * nothing.
 *
 * @see dev.escapement.physics.PhysicsServiceBuilder#source
 */
public final class InputSources implements AutoCloseable {

    private static final int NONE = -1;

    private final List<InputSource> sources;
    private final InputRing ring;

    // Plain: written before UserCodeGuard.enter(), whose release the abandoning thread acquires; otherwise read after
    // the physics thread has ended.
    private int selected = NONE;

    // Incremented before a device is closed: an abandoned physics thread and the one that closes for it may both be in
    // close(). If the close() of a device hangs in one of them, the other closes the devices after it.
    private final AtomicInteger nextToClose = new AtomicInteger();

    /**
     * Creates the list of the devices. None is polled yet.
     *
     * @param sources the devices
     * @param ring    takes their events
     */
    public InputSources(List<InputSource> sources, InputRing ring) {
        this.sources = sources;
        this.ring = ring;
    }

    /**
     * How many devices there are.
     *
     * @return devices 0 to {@code size() - 1}
     */
    public int size() {
        return sources.size();
    }

    /**
     * Selects the device to poll next. Call it before {@link UserCodeGuard#enter()}, so that a thread that abandons this one sees it.
     *
     * @param index the device's index
     */
    public void select(int index) {
        selected = index;
    }

    /** Polls the selected device. */
    public void pollSelected() {
        sources.get(selected).poll(ring);
    }

    /** Notes that no device is being polled. */
    public void deselect() {
        selected = NONE;
    }

    /**
     * Closes the device whose poll threw or hung. Only for the thread that polled it, because only that one knows when the poll returned.
     */
    public void closeSelected() {
        if (selected != NONE) {
            sources.get(selected).close();
        }
    }

    /** Closes all devices except one whose poll threw or hung, and those that another call closes. Idempotent. */
    @Override
    public void close() {
        FirstFailure failure = new FirstFailure();
        for (int i = nextToClose.getAndIncrement(); i < sources.size(); i = nextToClose.getAndIncrement()) {
            try {
                if (i != selected) {
                    sources.get(i).close();
                }
            } catch (RuntimeException | Error thrown) {
                failure.add(thrown);
            }
        }
        Throwable cause = failure.cause().orElse(null);
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause != null) {
            throw (RuntimeException) cause;
        }
    }
}
