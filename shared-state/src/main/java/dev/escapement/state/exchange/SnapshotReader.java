package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.thread.ThreadConfined;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Timeline;
import org.jspecify.annotations.Nullable;

/**
 * The reading side of a {@link SnapshotExchange}, one for each reading thread.
 *
 * <pre>{@code
 * if (reader.acquire()) {
 *     Window window = reader.window(); // does not change until the next acquire()
 * }
 * }</pre>
 *
 * <p>All calls are wait-free, except {@link #close()} and the first call of a new owner, which are lock-free. None allocates. The first
 * thread that uses a reader owns it, until {@link #handOver()} or the end of that thread.
 */
public final class SnapshotReader extends ThreadConfined implements AutoCloseable {

    /** The slot of every detached reader, so that a detached reader keeps no exchange reachable. */
    private static final ReaderSlot DETACHED = new ReaderSlot(new Snapshot[0], new Timeline[0], new long[0], 0, null);

    private static final Window CLOSED = new Window(DETACHED);

    private ReaderSlot slot;

    /**
     * Always the same window object until this reader is closed, and then {@link #CLOSED}, so that a closed reader keeps no exchange
     * reachable.
     */
    private Window window;

    private final String attachedAt;

    SnapshotReader(ReaderSlot slot, String attachedAt) {
        this.slot = slot;
        this.attachedAt = attachedAt;
        window = new Window(slot); // its word stays NONE until the first acquire
    }

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
     * Takes the latest window if it is newer than the held one, and returns the held one to the writer.
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
            owner(); // acquires, pairs with the release in handOver: else a new owner could miss the old owner's window
        }
        return window.word != Window.NONE;
    }

    /**
     * {@return the window of the last successful {@link #acquire()}; always the same object}
     *
     * @throws IllegalStateException if there is none yet, this reader was detached, or belongs to another thread
     */
    public Window window() {
        own();
        if (!hasWindow()) {
            throw new IllegalStateException("there is no window yet: it takes " + window.size()
                    + " published ticks and an acquire(); ask hasWindow() first");
        }
        return window;
    }

    /** {@return K, the number of snapshots in a window; 0 if this reader was closed} Any thread may ask. */
    public int windowSize() {
        return window.size();
    }

    /** {@return the clock of the due times; null if the exchange has none, or this reader was closed} */
    public @Nullable NanoClock clock() {
        return slot.clock;
    }

    /**
     * Releases ownership: the next thread that calls this reader becomes its owner, and sees all that the old owner did.
     *
     * @throws IllegalStateException if this reader was detached, or belongs to another thread
     */
    public void handOver() {
        disown();
    }

    /**
     * Detaches this reader and frees its slot. Idempotent. For the owner; after a hand-over or the owner's death, any thread may call it.
     * If several threads call it at the same time, one detaches the reader and the others return without waiting.
     *
     * @throws IllegalStateException if this reader belongs to another thread, which is alive
     */
    @Override
    public void close() {
        if (retire()) {
            detach();
        }
    }

    /**
     * Closes this reader if its owner has died. Returns false if the owner lives, or another thread has closed this reader first. Any
     * thread.
     */
    boolean closeIfOwnerDead() {
        boolean closes = retireIfOwnerDead();
        if (closes) {
            detach();
        }
        return closes;
    }

    /**
     * Leaves the slot, after a successful retire. A retire needs more stack than this method, so a stack overflow happens before the
     * retire, and never between the two.
     */
    private void detach() {
        ReaderSlot leftSlot = slot;
        if (window.word != Window.NONE) {
            leftSlot.lastWord = window.word;
        }
        window = CLOSED;
        slot = DETACHED;
        leftSlot.release();
    }

    /**
     * Takes the unread window. Calls nothing after the atomic exchange in slot.take, so that a stack overflow can only come before the
     * exchange, and then changes nothing.
     */
    private void take() {
        window.word = slot.take();
    }

    /** Takes over the window that the slot's previous reader held, which is the latest one. Returns false if there is none. */
    private boolean takeOver() {
        window.word = slot.lastWord;
        return window.word != Window.NONE;
    }
}
