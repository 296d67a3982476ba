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
 *     Window window = reader.window(); // stays as it is until the next acquire()
 * }
 * }</pre>
 *
 * <p>All calls are wait-free, but {@link #close()} and a new owner's first, which are lock-free. They allocate nothing. The first thread
 * that uses it owns it, until {@link #handOver()} or the end of the thread.
 */
public final class SnapshotReader extends ThreadConfined implements AutoCloseable {

    /** Where a reader is before it has a seat and after it gave it up: it keeps no exchange from being collected. */
    private static final ReaderSlot NOWHERE = new ReaderSlot(new Snapshot[0], 0, TickRate.hertz(1), null);

    private ReaderSeat seat = NOWHERE.seat();
    private ReaderSlot slot = NOWHERE;
    private ExchangeWord word = NOWHERE.word;
    private Window[] windows = NOWHERE.windows;
    private int held;

    /** Whether the held window was ever filled, by this reader's acquire or by an earlier one's. */
    private boolean heldIsFilled;

    /** Whether this reader has acquired. */
    private boolean hasWindow;

    SnapshotReader() {}

    /** Takes a seat, and what the reader before has left in its current slot. False if another reader has it. */
    boolean tryAttach(ReaderSeat free) {
        boolean attached = free.tryTake(this);
        if (attached) {
            ReaderSlot current = free.current();
            enter(current, current.held());
            heldIsFilled = current.heldIsFilled();
        }
        return attached;
    }

    private void enter(ReaderSlot next, int heldWindow) {
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
     * What the due times in its windows are instants of.
     *
     * @return the clock of the service, null if the exchange was not told, or this reader was closed
     */
    public @Nullable NanoClock clock() {
        return slot.clock;
    }

    /**
     * Lets another thread use this reader: the next one to call it becomes its owner. What the old owner did is visible
     * to the new one.
     *
     * @throws IllegalStateException if this reader was detached, or belongs to another thread
     */
    public void handOver() {
        disown();
    }

    /**
     * Detaches: gives the place back for another reader. Idempotent. The owner may call this, or any thread after a hand-over or when the
     * owner has died; of several that do at once, one gives the place back, and the others need not wait for it.
     *
     * @throws IllegalStateException if this reader belongs to another thread, which is alive
     */
    @Override
    public void close() {
        if (retire()) {
            detach();
        }
    }

    /** Any thread: gives the place of a thread that has died back. False if this reader's has not, or another thread was first. */
    boolean closeIfOwnerDead() {
        boolean closes = retireIfOwnerDead();
        if (closes) {
            detach();
        }
        return closes;
    }

    /** After having been retired, which takes more stack than this: an error of the virtual machine comes before, not in between. */
    private void detach() {
        ReaderSeat left = seat;
        hasWindow = false;
        slot.leave(held, heldIsFilled);
        enter(NOWHERE, 0);
        left.giveUp();
    }

    private void take() {
        long seenTick = windows[held].newestTick();
        held = word.take(held);
        took(seenTick);
    }

    /** After another window than the one with that tick has come to be held. */
    private void took(long seenTick) {
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
        int taken = next.word.take(next.held()); // first: should this throw, the reader is where it was
        enter(next, taken);
        took(seenTick);
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
