package dev.escapement.state.input;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Input of producers that may vanish: clients over a network, open pages. What a producer held is released when it is gone. If the ring is
 * full at that moment, the release is tried again until the ring has taken all of it.
 *
 * <p>Each producer is a sender: ticks get an event {@link InputKind#SENDER_JOINED} before its first, and {@link InputKind#SENDER_LEFT} after
 * its last. A full ring delays both.
 *
 * <pre>{@code
 * TrackedSource source = sources.join();
 * source.ring().offer(nanos, InputKind.KEY_DOWN, 87, 0, 0);
 * sources.leave(source);     // key 87 comes up
 * sources.release();         // regularly: what the ring had no room for
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

    /** Producers that are gone, and have not released all that they held. */
    private final List<TrackedSource> leaving = new ArrayList<>();

    /**
     * Creates a registry without producers.
     *
     * @param ring where their input goes
     */
    public RemoteSources(InputRing ring) {
        this.ring = ring;
    }

    /**
     * {@return a producer's view of the ring, which holds nothing, with the ring's next number: no other sender of the run has it} Offer into
     * its {@link TrackedSource#ring()}, and pass it to {@link #leave} in the end.
     *
     * @throws IllegalStateException if {@value InputFrame#MAX_SENDERS} senders have joined, each of which counts until a tick has taken its leave
     */
    public TrackedSource join() {
        return new TrackedSource(ring, ring.senders.next());
    }

    /**
     * Lets a producer join with a number that something else has given: the server of a client that predicts, a cluster. It may have left
     * before with the same number.
     *
     * @param sender the {@link InputEvent#sender()} of its events
     * @return as {@link #join()}
     * @throws IllegalArgumentException if the number is 0 or less, or a sender has it that has joined, and whose leave no tick has taken yet
     * @throws IllegalStateException    as in {@link #join()}
     */
    public TrackedSource join(int sender) {
        ring.senders.take(sender);
        return new TrackedSource(ring, sender);
    }

    /**
     * {@return a view of the ring for a producer of this process, a window for example: its events are of sender 0, which does not join} All
     * producers of this process are one sender, also where a body is {@linkplain DragInput dragged}: each can end the drag of another. It
     * keeps what a full ring refuses: call {@link TrackedSource#catchUp()} regularly.
     */
    public TrackedSource local() {
        return new TrackedSource(ring, 0);
    }

    /**
     * Refuses what a source offers from now on, and releases what it holds as soon as the ring has room. Then it has left.
     *
     * @param source the view of the producer that is gone
     */
    public void leave(TrackedSource source) {
        source.leave();
        leaving.add(source);
        release();
    }

    /** {@return whether nothing is left to release of what producers that are gone held} Tries again. */
    public boolean release() {
        if (!leaving.isEmpty()) {
            leaving.removeIf(source -> source.release() || ring.isClosed()); // a closed ring: no tick gets a release
        }
        return leaving.isEmpty();
    }

    /** Waits up to a second until the ring has taken what is still to be released. */
    @Override
    public void close() {
        for (int i = 0; i < CLOSE_TRIES && !release(); i++) {
            LockSupport.parkNanos(CLOSE_TRY_NANOS);
        }
    }
}
