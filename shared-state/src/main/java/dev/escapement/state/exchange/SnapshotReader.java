package dev.escapement.state.exchange;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The reading side of a {@link SnapshotExchange}, one per reading thread.
 *
 * <pre>{@code
 * if (reader.acquire()) {
 *     Window window = reader.window(); // stays as it is until the next acquire()
 * }
 * }</pre>
 *
 * <p>All calls are wait-free and allocate nothing. The first thread that uses it owns it, until {@link #handOver()}.
 */
public final class SnapshotReader implements AutoCloseable {

    private final OwnerThread owner = new OwnerThread("snapshot reader");
    private final AtomicBoolean detached = new AtomicBoolean();
    private final ReaderSlot slot;
    private final int windowSize;
    private boolean hasWindow;

    SnapshotReader(ReaderSlot slot, int windowSize) {
        this.slot = slot;
        this.windowSize = windowSize;
    }

    /**
     * Takes the latest window, if there is a newer one than the one held. From here on the window held before may be
     * written again.
     *
     * @return whether {@link #window()} is another one now
     * @throws IllegalStateException if this reader was detached, or belongs to another thread
     */
    public boolean acquire() {
        checkUse();
        if (slot.word.isFresh()) {
            long seenTick = hasWindow ? slot.window(slot.held).newestTick() : 0;
            slot.held = slot.word.take(slot.held);
            slot.heldIsFilled = true;
            Window window = slot.window(slot.held);
            window.skipped(hasWindow ? window.newestTick() - seenTick - 1 : 0);
            hasWindow = true;
            return true;
        }
        if (!hasWindow && slot.heldIsFilled) {
            // The slot's previous reader had taken the latest window; for this reader it is new.
            slot.window(slot.held).skipped(0);
            hasWindow = true;
            return true;
        }
        return false;
    }

    /**
     * Whether a window is held: false until K ticks were published and {@link #acquire()} was called.
     *
     * @return whether {@link #window()} has one
     */
    public boolean hasWindow() {
        return hasWindow;
    }

    /**
     * The window held.
     *
     * @return the window of the last successful {@link #acquire()}
     * @throws IllegalStateException if there is none yet, this reader was detached, or belongs to another thread
     */
    public Window window() {
        checkUse();
        if (!hasWindow) {
            throw new IllegalStateException("there is no window yet: it takes " + windowSize
                    + " published ticks and an acquire(); ask hasWindow() first");
        }
        return slot.window(slot.held);
    }

    /**
     * Lets another thread use this reader: the next one to call it becomes its owner. What the old owner did is visible
     * to the new one.
     *
     * @throws IllegalStateException if this reader belongs to another thread
     */
    public void handOver() {
        owner.handOver();
    }

    /** Detaches: gives the slot back for another reader. Idempotent; the owner may call this, or anybody after a hand-over. */
    @Override
    public void close() {
        owner.check();
        if (detached.compareAndSet(false, true)) {
            slot.attached.set(false); // releases the held window to the next attach()
        }
    }

    private void checkUse() {
        owner.check();
        if (detached.getPlain()) {
            throw new IllegalStateException("this reader was detached; attach a new one");
        }
    }
}
