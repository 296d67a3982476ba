package dev.escapement.state.exchange;

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
public final class SnapshotReader extends ThreadOwned implements AutoCloseable {

    private final ReaderSeat seat;
    private ReaderSlot slot;
    private ExchangeWord word;
    private Window[] windows;
    private int held;

    /** Whether the held window was ever filled, by this reader's acquire or by an earlier one's. */
    private boolean heldIsFilled;

    /** Whether this reader has acquired. */
    private boolean hasWindow;

    /** A reader that has no seat yet, and is to begin in this slot. */
    SnapshotReader(ReaderSlot slot) {
        this.slot = slot;
        seat = slot.seat();
        word = slot.word;
        windows = slot.windows;
    }

    /** Takes the seat and what the reader before has left in the slot. False if another reader has the seat. */
    boolean tryAttach() {
        boolean attached = seat.tryTake(this);
        if (attached) {
            held = slot.held();
            heldIsFilled = slot.heldIsFilled();
            seat.forgetUnreadBefore(slot);
        }
        return attached;
    }

    @Override
    String what() {
        return "snapshot reader";
    }

    /**
     * Takes the latest window, if there is a newer one than the one held. From here on the window held before may be
     * written again. When the exchange was {@link SnapshotExchange#handOnTo handed on}, the window held stays until the
     * successor has one.
     *
     * @return whether {@link #window()} is another one now
     * @throws IllegalStateException if this reader was detached, or belongs to another thread
     */
    public boolean acquire() {
        checkOwner();
        if (!seat.isCurrent(slot) && follow()) { // first: what a successor has is newer than what was left unread
            return true;
        }
        if (word.isFresh()) {
            take();
            return true;
        }
        return !hasWindow && takeOver();
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
        checkOwner();
        if (!hasWindow) {
            throw new IllegalStateException("there is no window yet: it takes " + windows[held].size()
                    + " published ticks and an acquire(); ask hasWindow() first");
        }
        return windows[held];
    }

    /**
     * Lets another thread use this reader: the next one to call it becomes its owner. What the old owner did is visible
     * to the new one.
     *
     * @throws IllegalStateException if this reader belongs to another thread
     */
    public void handOver() {
        disown();
    }

    /**
     * Detaches: gives the place back for another reader. Idempotent, also for several threads at once. The owner may call this, or
     * any thread after a hand-over or when the owner has died.
     *
     * @throws IllegalStateException if this reader belongs to another thread, which is alive
     */
    @Override
    public void close() {
        if (retire()) {
            detach();
        }
    }

    /** Any thread: gives the place of a thread that has died back, if this is the reader of one. */
    void closeIfOwnerDead() {
        if (retireIfOwnerDead()) {
            detach();
        }
    }

    private void detach() {
        hasWindow = false;
        slot.leave(held, heldIsFilled);
        seat.giveUp();
    }

    private void take() {
        take(windows[held].newestTick());
    }

    private void take(long seenTick) {
        held = word.take(held);
        Window window = windows[held];
        if (hasWindow) {
            window.skipped(
                    Math.max(0, window.newestTick() - seenTick - 1)); // the same ticks come again with a new timeline
        } else {
            window.skipped(0);
            heldIsFilled = true;
            hasWindow = true;
        }
    }

    /** Goes over to the newest of the exchanges that succeeded this one, if one has a window to be taken; else what is held stays. */
    private boolean follow() {
        ReaderSlot next = seat.newestAfter(slot);
        if (next != null) {
            goOverTo(next);
        }
        return next != null;
    }

    private void goOverTo(ReaderSlot next) {
        long seenTick = windows[held].newestTick();
        slot = next;
        word = next.word;
        windows = next.windows;
        held = next.held();
        seat.forgetUnreadBefore(next);
        take(seenTick);
    }

    /** The slot's previous reader had taken the latest window already; for this reader it is new. */
    private boolean takeOver() {
        if (heldIsFilled) {
            windows[held].skipped(0);
            hasWindow = true;
        }
        return heldIsFilled;
    }
}
