package dev.escapement.state.wire;

import java.util.concurrent.atomic.AtomicLongArray;

/** The figures of a receiver. Its thread counts; any thread may ask. */
@SuppressWarnings("EnumOrdinal") // the enum names the places of the array
final class ReceiverFigures {

    private final AtomicLongArray figures = new AtomicLongArray(ReceiverFigure.values().length);

    long get(ReceiverFigure figure) {
        return figures.getOpaque(figure.ordinal());
    }

    void set(ReceiverFigure figure, long value) {
        figures.setOpaque(figure.ordinal(), value); // one thread writes; nothing is ordered by a figure
    }

    void add(ReceiverFigure figure, long count) {
        set(figure, get(figure) + count);
    }
}
