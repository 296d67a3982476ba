package dev.escapement.state.input;

import java.util.Arrays;
import java.util.Collection;
import java.util.Objects;

/**
 * The input of one tick: its events, ordered by time, and the levels after them. Events of the same time have the order of their arrival.
 *
 * <pre>{@code
 * InputFrame input = tick.input();
 * boolean running = input.state().isKeyDown(KEY_W);   // a level: it lasts
 * for (int i = 0; i < input.size(); i++) {
 *     InputEvent event = input.event(i);
 *     if (event.kind() == InputKind.KEY_DOWN && event.code() == KEY_SPACE) {
 *         jump((double) event.offsetNanos() / input.lengthNanos());   // an event: it happens once, at a time
 *     }
 * }
 * }</pre>
 *
 * <p>Read levels from {@link #state()}, and do not derive them from events: the events of a pause are in no tick, but the state includes
 * them. The state is recorded and replayed with the tick, so a simulation need not save it.
 *
 * <p>Physics thread only, valid while the tick runs.
 */
public final class InputFrame {

    /** The maximum of senders that have joined and not left. */
    public static final int MAX_SENDERS = 1024;

    private InputEvent[] events = {};
    final InputLevels levels;
    private int size;
    long lengthNanos;

    InputFrame(InputLevels levels) {
        this.levels = levels;
    }

    /** {@return the number of events} */
    public int size() {
        return size;
    }

    /**
     * {@return one event, reused after this tick}
     *
     * @param index 0 for the earliest
     * @throws IndexOutOfBoundsException if there are fewer events
     */
    public InputEvent event(int index) {
        return events[Objects.checkIndex(index, size)];
    }

    /**
     * {@return the levels of all senders together at the end of the tick: held keys and buttons, positions of axes} A key that went down
     * and came up within the tick is not held, but both events are there. A key that two senders hold comes up when either releases it.
     */
    public InputState state() {
        return levels.all;
    }

    /**
     * {@return the levels of one sender at the end of the tick} A sender that has left in this tick holds nothing. Allocates nothing.
     *
     * <pre>{@code
     * for (int i = 0; i < input.senderCount(); i++) {
     *     movePlayer(input.sender(i), input.state(input.sender(i)).isKeyDown(KEY_D));
     * }
     * }</pre>
     *
     * @param sender an {@link InputEvent#sender()}; 0 for producers of this process that have not joined
     * @throws IllegalArgumentException if the sender has not joined, or has left in an earlier tick
     */
    public InputState state(int sender) {
        InputState found = levels.find(sender);
        if (!has(sender)) {
            throw new IllegalArgumentException(
                    sender < 0 || sender > levels.highest
                            ? "sender " + sender + " has never joined; the highest number that has is " + levels.highest
                            : "sender " + sender
                                    + " has left in an earlier tick, or has never joined; ask for the senders that"
                                    + " senderCount() and sender(...) name");
        }
        return found == null ? InputState.NOTHING : found;
    }

    /** Returns whether a sender is this process, or has joined and not left before this tick. */
    boolean has(int sender) {
        boolean found = levels.find(sender) != null;
        for (int i = 0; i < size && !found; i++) {
            found = events[i].sender == sender && events[i].kind == InputKind.SENDER_LEFT;
        }
        return found;
    }

    /** {@return the number of senders that have joined and not left at the end of the tick} This process, sender 0, does not count. */
    public int senderCount() {
        return levels.count - 1;
    }

    /**
     * {@return the number of a sender that has joined and not left}
     *
     * @param index 0 for the lowest number
     * @throws IndexOutOfBoundsException if there are fewer senders
     */
    public int sender(int index) {
        return levels.senders[Objects.checkIndex(index, senderCount()) + 1];
    }

    /**
     * {@return the length of this tick since time last stood still, nanoseconds of the clock} {@link InputEvent#offsetNanos()} lies within
     * it. In slow motion ticks last longer; at one speed all ticks last equally long, within 1 ns.
     */
    public long lengthNanos() {
        return lengthNanos;
    }

    void begin(long newLengthNanos) {
        size = 0;
        lengthNanos = newLengthNanos;
    }

    /** Clears this frame. Its events are unused then, except events of the sampler's own. */
    void recycle(Collection<InputEvent> unused) {
        for (int i = 0; i < size; i++) {
            if (events[i].sequence != InputEvent.OWN) {
                unused.add(events[i]);
            }
        }
        size = 0;
    }

    void add(InputEvent event) {
        grow();
        events[size++] = event;
    }

    InputEvent addOwn() {
        grow();
        if (events[size] == null) {
            events[size] = new InputEvent();
        }
        return events[size++];
    }

    private void grow() {
        if (size == events.length) {
            events = Arrays.copyOf(events, Math.max(16, 2 * size));
        }
    }
}
