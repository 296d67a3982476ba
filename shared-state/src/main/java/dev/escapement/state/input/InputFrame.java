package dev.escapement.state.input;

import java.util.Arrays;
import java.util.Objects;

/**
 * The input of one tick: events in the order of their time, ties in the order of their arrival, and what is held after them.
 *
 * <pre>{@code
 * InputFrame input = tick.input();
 * boolean running = input.state().isKeyDown(KEY_W);   // what lasts: a level
 * for (int i = 0; i < input.size(); i++) {
 *     InputEvent event = input.event(i);
 *     if (event.kind() == InputKind.KEY_DOWN && event.code() == KEY_SPACE) {
 *         jump((double) event.offsetNanos() / input.lengthNanos());   // what happens once: an event, and when in the tick
 *     }
 * }
 * }</pre>
 *
 * <p>Read what lasts from {@link #state()} and follow no events to know it: what happens while simulated time stands still is in no
 * tick's events, and what was held before a restart is in none of the new simulation's. The state has both. It is recorded and
 * repeated with the tick, so a simulation need not save it.
 *
 * <p>Physics thread only, valid while the tick runs.
 */
public final class InputFrame {

    private InputEvent[] events;
    private final InputState state;
    private int size;
    private long lengthNanos;

    InputFrame(int capacity, InputState state) {
        events = new InputEvent[capacity];
        this.state = state;
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

    /**
     * What is held, and where the axes stand, at the end of the tick. What went down and came up within it is not held, but both
     * events are there.
     *
     * @return the state after all events of this tick
     */
    public InputState state() {
        return state;
    }

    /**
     * How long the clock ran in this tick, of which {@link InputEvent#offsetNanos()} is a part.
     *
     * @return nanoseconds of the clock, more in slow motion; within a nanosecond the same in every tick of one speed
     */
    public long lengthNanos() {
        return lengthNanos;
    }

    void begin(long newLengthNanos) {
        size = 0;
        lengthNanos = newLengthNanos;
    }

    /** Grows only where the number of events was not known before. */
    void add(InputEvent event) {
        if (size == events.length) {
            events = Arrays.copyOf(events, 2 * size + 1);
        }
        events[size++] = event;
    }
}
