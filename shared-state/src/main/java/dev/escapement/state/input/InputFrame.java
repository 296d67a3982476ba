package dev.escapement.state.input;

import java.util.Arrays;
import java.util.Objects;

/**
 * The input of one tick: its events in the order of their time, ties in the order of their arrival, and the levels after them.
 *
 * <pre>{@code
 * InputFrame input = tick.input();
 * boolean running = input.state().isKeyDown(KEY_W);   // what lasts: a level
 * for (int i = 0; i < input.size(); i++) {
 *     InputEvent event = input.event(i);
 *     if (event.kind() == InputKind.KEY_DOWN && event.code() == KEY_SPACE) {
 *         jump((double) event.offsetNanos() / input.lengthNanos());   // what happens once: an event with its time
 *     }
 * }
 * }</pre>
 *
 * <p>Read levels from {@link #state()}, and do not derive them from events: events that happen while simulated time stands still are in no
 * tick, but the state includes them. It is recorded and replayed with the tick, so a simulation need not save it.
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

    /** {@return how many events this tick has} */
    public int size() {
        return size;
    }

    /**
     * {@return one event, reused after this tick}
     *
     * @param index 0 for the earliest
     * @throws IndexOutOfBoundsException if there are not this many
     */
    public InputEvent event(int index) {
        return events[Objects.checkIndex(index, size)];
    }

    /**
     * {@return what is held, and where the axes stand, at the end of the tick} A key that went down and came up within the tick is not
     * held, but both events are there.
     */
    public InputState state() {
        return state;
    }

    /**
     * {@return how long this tick lasted, in nanoseconds of the clock} {@link InputEvent#offsetNanos()} lies within it. It is more in slow
     * motion; at one speed it is the same in every tick, within 1 ns.
     */
    public long lengthNanos() {
        return lengthNanos;
    }

    void begin(long newLengthNanos) {
        clear();
        lengthNanos = newLengthNanos;
    }

    void clear() {
        size = 0;
    }

    /** Adds an event of a sampler, whose frame has room for all. */
    void add(InputEvent event) {
        events[size++] = event;
    }

    /** Adds an event of the frame's own, which the caller fills: recorded input has no other, and uses them from tick to tick. */
    InputEvent addOwn() {
        if (size == events.length) {
            events = Arrays.copyOf(events, Math.max(16, 2 * size));
            for (int i = size; i < events.length; i++) {
                events[i] = new InputEvent();
            }
        }
        return events[size++];
    }
}
