package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.thread.ThreadConfined;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
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
    private static final ReaderSlot DETACHED = new ReaderSlot(new Snapshot[0], 0, TickRate.hertz(1), null);

    private ReaderSeat seat = DETACHED.seat();
    private ReaderSlot slot = DETACHED;
    private ExchangeWord word = DETACHED.word;
    private Window[] windows = DETACHED.windows;
    private int held;

    /** Whether the held window was ever filled: this reader or the slot's previous one took it from the word. */
    private boolean heldIsFilled;

    /** Whether this reader has acquired a window. */
    private boolean hasWindow;

    SnapshotReader() {}

    /** Takes a seat, and the window that its previous reader left in the current slot. False if another reader has the seat. */
    boolean tryAttach(ReaderSeat free) {
        boolean attached = free.tryTake(this);
        if (attached) {
            ReaderSlot current = free.current();
            useSlot(current, current.held());
            heldIsFilled = current.heldIsFilled();
        }
        return attached;
    }

    private void useSlot(ReaderSlot next, int heldWindow) {
        slot = next;
        seat = next.seat();
        word = next.word;
        windows = next.windows;
        held = heldWindow;
        seat.forgetUnreadBefore(next);
    }

    @Override
    protected String what() {
        return "snapshot reader";
    }

    /**
     * Takes the latest window if it is newer than the one held. The window held before may be written again from then on. If the exchange
     * was {@link SnapshotExchange#handOnTo handed on}, this reader keeps its window until the successor has one.
     *
     * @return whether {@link #window()} has changed
     * @throws IllegalStateException if this reader was detached, or belongs to another thread
     */
    public boolean acquire() {
        checkOwner();
        if (!seat.isCurrent(slot) && moveToSuccessor()) { // first: a successor's window is newer
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
     * @return the window that the last successful {@link #acquire()} took
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
     * The clock that the due times in the windows refer to.
     *
     * @return the clock of the service; null if the exchange has none, or this reader was closed
     */
    public @Nullable NanoClock clock() {
        return slot.clock;
    }

    /**
     * Gives up ownership: the next thread that calls this reader becomes its owner, and sees what the old owner did.
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
     * Leaves slot and seat, after a successful retire. Retiring needs more stack than this, so a stack overflow comes before it and not in
     * between.
     */
    private void detach() {
        ReaderSeat left = seat;
        hasWindow = false;
        slot.leave(held, heldIsFilled);
        useSlot(DETACHED, 0);
        left.giveUp();
    }

    private void take() {
        long seenTick = windows[held].newestTick();
        held = word.take(held);
        noteSkipped(seenTick);
    }

    /** Notes how many ticks lie between the window held before, whose newest tick was {@code seenTick}, and the one held now. */
    private void noteSkipped(long seenTick) {
        Window window = windows[held];
        if (hasWindow) {
            window.setSkippedTicks(
                    Math.max(0, window.newestTick() - seenTick - 1)); // -1 if the same ticks come with a new timeline
        } else {
            window.setSkippedTicks(0);
            heldIsFilled = true;
            hasWindow = true;
        }
    }

    /** Moves to the newest succeeding exchange that has an unread window. False, and the held window stays, if none has. */
    private boolean moveToSuccessor() {
        ReaderSlot next = seat.newestAfter(slot);
        if (next != null) {
            moveTo(next);
        }
        return next != null;
    }

    private void moveTo(ReaderSlot next) {
        long seenTick = windows[held].newestTick();
        int taken = next.word.take(next.held()); // first: if this throws, the reader is unchanged
        useSlot(next, taken);
        noteSkipped(seenTick);
    }

    /** Adopts the window that the slot's previous reader held: the latest one, and new for this reader. False if there is none. */
    private boolean takeOver() {
        if (heldIsFilled) {
            windows[held].setSkippedTicks(0);
            hasWindow = true;
        }
        return heldIsFilled;
    }
}
