package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A reader's permanent place in the exchange: three windows that go round and the word by which they do.
 *
 * <p>Three, so that each side always owns one and one lies ready between them. Slots outlive the readers that use them:
 * detaching leaves the held window here, attaching takes it over. When the exchange is succeeded by another one, each slot
 * moves to one of its successor's, and with it the reader that has it.
 */
final class ReaderSlot {

    /** Which window is whose at first: the reader's, the one in the word, the writer's. */
    private static final int INITIALLY_HELD = 0;

    private static final int INITIALLY_READY = 1;
    static final int INITIALLY_SPARE = 2;
    static final int WINDOWS = 3;

    final Window[] windows = new Window[WINDOWS];
    final ExchangeWord word = new ExchangeWord(INITIALLY_READY);

    private static final int FREE = 0;
    private static final int TAKEN = 1;
    private static final int MOVED = 2;

    // What a reader leaves to the next one, and where a slot moved to. Plain: passed on by the accesses of state.
    private int held = INITIALLY_HELD;
    private boolean heldIsFilled;
    private @Nullable ReaderSlot successor;
    private final AtomicInteger state = new AtomicInteger(FREE);

    ReaderSlot(Snapshot[] snapshots, int windowSize, TickRate rate) {
        for (int i = 0; i < WINDOWS; i++) {
            windows[i] = new Window(snapshots, windowSize, rate);
        }
    }

    /** Acquires, by compare-and-set, what the previous reader released by {@link #detach}. */
    boolean tryAttach() {
        return state.compareAndSet(FREE, TAKEN);
    }

    /** Releases the held window to the next {@link #tryAttach}. The reader must not touch the slot any more. */
    void detach(int heldWindow, boolean isFilled) {
        held = heldWindow;
        heldIsFilled = isFilled;
        if (!state.compareAndSet(TAKEN, FREE)) {
            successor().detachUnused(); // it was kept for this reader
        }
    }

    /**
     * Moves this slot's reader, if it has one, to a slot that nobody has seen yet. Releases that slot, by the exchange, to
     * the reader's {@link #isMoved} and {@link #detach}.
     */
    void moveTo(ReaderSlot next) {
        next.state.setPlain(TAKEN);
        successor = next;
        if (state.getAndSet(MOVED) == FREE) {
            next.state.setPlain(FREE); // nobody comes; still unseen, for only a reader of this slot could have found it
        }
    }

    /** Neither taken nor moved, nor kept for a reader that moves here. */
    boolean isFree() {
        return state.get() == FREE;
    }

    /** Opaque is enough for a first look, {@link #successor()} acquires; coherence makes it seen in the end. */
    boolean isMoved() {
        return state.getOpaque() == MOVED;
    }

    /** Where this slot moved to. Acquires what {@link #moveTo} released. */
    ReaderSlot successor() {
        if (state.getAcquire() != MOVED) {
            throw new IllegalStateException("this slot has not moved");
        }
        return Objects.requireNonNull(successor);
    }

    /** After {@link #tryAttach}: the window that the previous reader held. */
    int held() {
        return held;
    }

    /** After {@link #tryAttach}: whether that window was ever filled. */
    boolean heldIsFilled() {
        return heldIsFilled;
    }

    private void detachUnused() {
        detach(held, heldIsFilled);
    }
}
