package dev.escapement.state.input;

import java.util.Objects;

/**
 * The input of one tick: events in the order of their time, ties in the order of their arrival.
 *
 * <p>Physics thread only, valid while the tick runs.
 */
public final class InputFrame {

    private final InputEvent[] events;
    private int size;

    InputFrame(int capacity) {
        events = new InputEvent[capacity];
    }

    /**
     * How many events there are.
     *
     * @return events of this tick
     */
    public int size() {
        return size;
    }

    /**
     * One event.
     *
     * @param index 0 for the earliest
     * @return the event, reused after this tick
     * @throws IndexOutOfBoundsException if there are not so many
     */
    public InputEvent event(int index) {
        return events[Objects.checkIndex(index, size)];
    }

    void clear() {
        size = 0;
    }

    void add(InputEvent event) {
        events[size++] = event;
    }
}
