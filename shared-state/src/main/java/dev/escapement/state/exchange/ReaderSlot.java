package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A reader's permanent place in the exchange: three windows that go round and the word by which they do.
 *
 * <p>Three, so that each side always owns one and one lies ready between them. Slots outlive the readers that use them:
 * detaching leaves the held window here, attaching takes it over.
 */
final class ReaderSlot {

    /** Which window is whose at first: the reader's, the one in the word, the writer's. */
    private static final int INITIALLY_HELD = 0;

    private static final int INITIALLY_READY = 1;
    static final int INITIALLY_SPARE = 2;
    static final int WINDOWS = 3;

    final Window[] windows = new Window[WINDOWS];
    final ExchangeWord word = new ExchangeWord(INITIALLY_READY);

    // What a reader leaves to the next one. Plain: passed on by the two accesses of attached.
    private int held = INITIALLY_HELD;
    private boolean heldIsFilled;
    private final AtomicBoolean attached = new AtomicBoolean();

    ReaderSlot(Snapshot[] snapshots, int windowSize, TickRate rate) {
        for (int i = 0; i < WINDOWS; i++) {
            windows[i] = new Window(snapshots, windowSize, rate);
        }
    }

    /** Acquires, by compare-and-set, what the previous reader released by {@link #detach}. */
    boolean tryAttach() {
        return attached.compareAndSet(false, true);
    }

    /** Releases the held window to the next {@link #tryAttach}. The reader must not touch the slot any more. */
    void detach(int heldWindow, boolean isFilled) {
        held = heldWindow;
        heldIsFilled = isFilled;
        attached.setRelease(false);
    }

    /** After {@link #tryAttach}: the window that the previous reader held. */
    int held() {
        return held;
    }

    /** After {@link #tryAttach}: whether that window was ever filled. */
    boolean heldIsFilled() {
        return heldIsFilled;
    }
}
