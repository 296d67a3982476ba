package dev.escapement.state.input;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Registers producers that may vanish, such as network clients and open pages, and releases what they held.
 *
 * <p>Each producer is a sender: ticks get an event {@link InputKind#SENDER_JOINED} before its first event, and {@link
 * InputKind#SENDER_LEFT} after its last. A full or disabled ring delays both, and the releases of a vanished producer: call
 * {@link #release} again.
 *
 * <pre>{@code
 * TrackedSource source = sources.join();
 * source.offer(nanos, InputKind.KEY_DOWN, 87, 0, 0);
 * sources.leave(source);     // key 87 comes up
 * sources.release();         // regularly: offers again what the ring has refused
 * }</pre>
 *
 * <p>One thread. Allocates when a producer joins or leaves.
 *
 * @see TrackedSource
 */
public final class RemoteSources implements AutoCloseable {

    private static final int CLOSE_TRIES = 1000;
    private static final long CLOSE_TRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final InputRing ring;

    /** The producers that have left while the ring has not yet accepted the releases of all that they held. */
    private final List<TrackedSource> leaving = new ArrayList<>();

    /** The producers whose join the ring has refused. */
    private final List<TrackedSource> joining = new ArrayList<>();

    /**
     * Creates a registry without producers.
     *
     * @param ring the ring that takes their input
     */
    public RemoteSources(InputRing ring) {
        this.ring = ring;
    }

    /**
     * {@return the source of a new producer, which holds nothing} Its number is the ring's next, which no other sender of the run has had.
     * Offer to it, and pass it to {@link #leave} at the end.
     *
     * @throws IllegalStateException if {@value InputFrame#MAX_SENDERS} senders have joined; each counts until a tick has taken its leave
     */
    public TrackedSource join() {
        return joined(ring.senders.next());
    }

    /**
     * Joins a producer whose number an authority has chosen: the server of a client that predicts, or a cluster. The producer may have left
     * before with the same number.
     *
     * @param sender the {@link InputEvent#sender()} of its events
     * @return the source of the producer, which holds nothing
     * @throws IllegalArgumentException if the number is 0 or less, or in use, that is, between a join and the tick that takes the leave
     * @throws IllegalStateException    if {@value InputFrame#MAX_SENDERS} senders have joined; each counts until a tick has taken its leave
     */
    public TrackedSource join(int sender) {
        ring.senders.claim(sender);
        return joined(sender);
    }

    private TrackedSource joined(int sender) {
        TrackedSource source = new TrackedSource(ring, sender, null);
        leaving.add(source); // remains if the join throws, because the ring may have accepted it
        if (!source.join()) {
            joining.add(source);
        }
        leaving.remove(source);
        return source;
    }

    /**
     * {@return a source for a producer of this process, for example a window} Its events have the sender 0, which does not join. All
     * producers of this process are this one sender, so each can end the {@linkplain DragInput drag} of another. The source keeps what a
     * full or disabled ring refuses: call {@link TrackedSource#catchUp()} regularly.
     */
    public TrackedSource local() {
        return new TrackedSource(ring, 0, null);
    }

    /**
     * Refuses all later offers of a producer. As soon as the ring has room, releases all that the producer holds, and offers its leave.
     *
     * @param source the source of the vanished producer
     */
    public void leave(TrackedSource source) {
        source.leave();
        joining.remove(source);
        leaving.add(source);
        release();
    }

    /**
     * Tries again to release all that vanished producers held, and offers refused joins again.
     *
     * @return whether the ring has taken all releases, or is closed for good
     */
    public boolean release() {
        if (!joining.isEmpty()) {
            joining.removeIf(source -> source.join() || ring.isClosed());
        }
        if (!leaving.isEmpty()) {
            leaving.removeIf(source -> source.release() || ring.isClosed()); // a closed ring needs no releases
        }
        return leaving.isEmpty();
    }

    /** Waits until {@link #release()} returns true, at most a second. */
    @Override
    public void close() {
        for (int i = 0; i < CLOSE_TRIES && !release(); i++) {
            LockSupport.parkNanos(CLOSE_TRY_NANOS);
        }
    }
}
