package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.thread.ThreadConfined;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Timeline;
import org.jspecify.annotations.Nullable;

/**
 * The reading side of a {@link SnapshotExchange}, one per reading thread.
 *
 * <pre>{@code
 * if (reader.acquire()) {
 *     Window window = reader.window(); // does not change until the next acquire()
 * }
 * }</pre>
 *
 * <p>All calls are wait-free, except {@link #close()} and the first call of a new owner, which are lock-free. None allocates. The first
 * thread that uses a reader owns it, until {@link #handOver()} or until that thread ends.
 */
public final class SnapshotReader extends ThreadConfined implements AutoCloseable {

    /** The slot of a reader that is not attached, so that it keeps no exchange from being garbage-collected. */
    private static final ReaderSlot DETACHED = new ReaderSlot(new Snapshot[0], new Timeline[0], new long[0], 0, null);

    private static final Window CLOSED = new Window(DETACHED);

    private ReaderSlot slot;

    /**
     * The same object until this reader is closed, then {@link #CLOSED}. A caller that keeps the old one keeps its exchange reachable; this
     * reader does not.
     */
    private Window window;

    private final String attachedAt;

    /** Creates the reader of a slot, for {@link ReaderSlot#tryTake}. */
    SnapshotReader(ReaderSlot slot, String attachedAt) {
        this.slot = slot;
        this.attachedAt = attachedAt;
        window = new Window(slot); // its word stays NONE until the first acquire
    }

    /** Who attached it, and which thread uses it, for messages. Any thread. */
    String holder() {
        Thread user = owner();
        return attachedAt + " (" + (user == null ? "no thread uses it now" : "used by thread '" + user.getName() + "'")
                + ")";
    }

    @Override
    protected String what() {
        return "snapshot reader";
    }

    /**
     * Takes the latest window if it is newer than the one held. The window held before may be written again from then on.
     *
     * @return whether {@link #window()} has changed
     * @throws IllegalStateException if this reader was detached, or belongs to another thread
     */
    public boolean acquire() {
        own();
        if (slot.isFresh()) {
            take();
            return true;
        }
        return window.word == Window.NONE && takeOver();
    }

    /** {@return whether a window is held: false until K ticks were published and {@link #acquire()} was called} */
    public boolean hasWindow() {
        if (!isOwner()) {
            owner(); // an acquire, which pairs with the release of handOver: a new owner sees the old one's window
        }
        return window.word != Window.NONE;
    }

    /**
     * {@return the window that the last successful {@link #acquire()} took; always the same object}
     *
     * @throws IllegalStateException if there is none yet, this reader was detached, or belongs to another thread
     */
    public Window window() {
        own();
        if (!hasWindow()) {
            throw new IllegalStateException("there is no window yet: it takes " + window.size()
                    + " published ticks and an acquire(); ask hasWindow() first; a"
                    + " FrameView has one once advance(...) has returned true");
        }
        return window;
    }

    /** {@return K, how many snapshots every window of the exchange holds; 0 if this reader was closed} Any thread may ask. */
    public int windowSize() {
        return window.size();
    }

    /** {@return the clock that the due times in the windows refer to; null if the exchange has none, or this reader was closed} */
    public @Nullable NanoClock clock() {
        return slot.clock;
    }

    /**
     * Releases ownership: the next thread that calls this reader becomes its owner, and sees what the old owner did.
     *
     * @throws IllegalStateException if this reader was detached, or belongs to another thread
     */
    public void handOver() {
        disown();
    }

    /**
     * Detaches this reader, so that another one can have its place. Idempotent. The owner may call this; after a hand-over, or when the
     * owner has died, any thread may. If several threads call it at the same time, one detaches the reader and the others return without
     * waiting.
     *
     * @throws IllegalStateException if this reader belongs to another thread, which is alive
     */
    @Override
    public void close() {
        if (retire()) {
            detach();
        }
    }

    /** Any thread: closes this reader if its owner has died. False if the owner has not, or another thread was first. */
    boolean closeIfOwnerDead() {
        boolean closes = retireIfOwnerDead();
        if (closes) {
            detach();
        }
        return closes;
    }

    /**
     * Leaves the slot, after a successful retire. Retiring needs more stack than this, so a stack overflow comes before it and not in
     * between.
     */
    private void detach() {
        ReaderSlot given = slot;
        if (window.word != Window.NONE) {
            given.lastWord = window.word;
        }
        window = CLOSED;
        slot = DETACHED;
        given.release();
    }

    /**
     * Takes the unread window. It calls nothing after the exchange: if the virtual machine throws, it does so before, and the reader is
     * unchanged.
     */
    private void take() {
        long taken = slot.take();
        window.seen = window.word;
        window.word = taken;
    }

    /** Adopts the window that the slot's previous reader held: the latest one, and new for this reader. False if there is none. */
    private boolean takeOver() {
        window.word = slot.lastWord;
        return window.word != Window.NONE;
    }
}
