package dev.escapement.state.exchange;

import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import org.jspecify.annotations.Nullable;

/**
 * What one exchange has for one {@link ReaderSeat}: three windows that go round and the word by which they do.
 *
 * <p>Three, so that each side always owns one and one lies ready between them. Slots outlive the readers that use them:
 * a reader that leaves puts the window it held here, and the next one takes it over.
 */
final class ReaderSlot {

    /** Which window is whose at first: the reader's, the one in the word, the writer's. */
    private static final int INITIALLY_HELD = 0;

    private static final int INITIALLY_READY = 1;
    static final int INITIALLY_SPARE = 2;
    static final int WINDOWS = 3;

    final Window[] windows = new Window[WINDOWS];
    final ExchangeWord word = new ExchangeWord(INITIALLY_READY);

    /** What due times are instants of; null if that was not said. */
    final @Nullable NanoClock clock;

    // Plain: set before another thread can find this slot, and released to it by the seat, or with the exchange.
    private ReaderSeat seat = new ReaderSeat(this);
    private int order;

    // What a reader leaves to the next one. Plain: passed on by the seat, which one reader has at a time.
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

    /** Joins the seat of the slots before it, as the next in their order. Before any other thread can find this slot. */
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

    /** While the reader has the seat, before it gives it up: leaves it the window it held. */
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
