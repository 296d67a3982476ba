package dev.escapement.state.exchange;

import dev.escapement.state.time.TickRate;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A reader's permanent place in the exchange: three windows that go round and the word by which they do.
 *
 * <p>Three, so that each side always owns one and one lies ready between them. Slots outlive the readers that use them:
 * detaching leaves the held window in the slot's {@link #held}, attaching takes it over.
 */
final class ReaderSlot {

    static final int WINDOWS = 3;

    /** Which window is whose at first: the reader's, the one in the word, the writer's. */
    static final int INITIALLY_HELD = 0;

    static final int INITIALLY_READY = 1;
    static final int INITIALLY_SPARE = 2;

    private final Window[] windows = new Window[WINDOWS];
    final ExchangeWord word = new ExchangeWord(INITIALLY_READY);

    /** Owned by the attached reader: the window it holds. Passed on by {@link #attached}. */
    int held = INITIALLY_HELD;

    /** Owned by the attached reader: whether the held window was ever filled. Passed on like {@link #held}. */
    boolean heldIsFilled;

    /**
     * Whether a reader uses this slot. The compare-and-set that sets it acquires {@link #held} and {@link #heldIsFilled}
     * from the store by which the previous reader cleared it and released them.
     */
    final AtomicBoolean attached = new AtomicBoolean();

    ReaderSlot(int windowSize, TickRate rate) {
        for (int i = 0; i < WINDOWS; i++) {
            windows[i] = new Window(windowSize, rate);
        }
    }

    Window window(int index) {
        return windows[index];
    }
}
