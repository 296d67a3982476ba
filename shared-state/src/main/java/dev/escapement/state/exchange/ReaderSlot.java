package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import org.jspecify.annotations.Nullable;

/**
 * The part of one exchange that serves one {@link ReaderSeat}: three windows and the word through which they are exchanged.
 *
 * <p>The writer owns one window, the reader holds one, and one lies in the word. Slots outlive the readers that use them: a reader that
 * detaches leaves the window it held here, and the next one takes it over.
 */
final class ReaderSlot {

    /** The window that the reader holds at first. */
    private static final int INITIALLY_HELD = 0;

    /** The window that is in the word at first. */
    private static final int INITIALLY_READY = 1;

    /** The window that the writer owns at first. */
    static final int INITIALLY_SPARE = 2;

    static final int WINDOWS = 3;

    final Window[] windows = new Window[WINDOWS];
    final ExchangeWord word = new ExchangeWord(INITIALLY_READY);

    /** The clock that due times refer to; null if the exchange has none. */
    final @Nullable NanoClock clock;

    // Plain: set before another thread can find this slot; the seat, or the publication of the exchange, releases it.
    private ReaderSeat seat = new ReaderSeat(this);
    private int order;

    // What a reader leaves to the next one. Plain: only the seat's reader uses it, and the seat orders one reader after
    // the other.
    private int held = INITIALLY_HELD;
    private boolean heldIsFilled;

    ReaderSlot(Snapshot[] snapshots, int windowSize, TickRate rate, @Nullable NanoClock clock) {
        this.clock = clock;
        for (int i = 0; i < WINDOWS; i++) {
            windows[i] = new Window(snapshots, windowSize, rate);
        }
    }

    ReaderSeat seat() {
        return seat;
    }

    /** Joins the seat of the previous exchange's slot, as the next in order. Call it before another thread can find this slot. */
    void follow(ReaderSlot last) {
        seat = last.seat;
        order = last.order + 1;
    }

    /** Whether this slot follows another one. */
    boolean isSuccessor() {
        return order > 0;
    }

    /** Whether this slot is of a later exchange than another one of the same seat. */
    boolean isAfter(ReaderSlot other) {
        return order > other.order;
    }

    /** For the reader that has the seat, before it gives the seat up: leaves the window it held to the next reader. */
    void leave(int heldWindow, boolean isFilled) {
        held = heldWindow;
        heldIsFilled = isFilled;
    }

    /** For the reader that has the seat: the window that the previous one held. */
    int held() {
        return held;
    }

    /** For the reader that has the seat: whether that window was ever filled. */
    boolean heldIsFilled() {
        return heldIsFilled;
    }
}
