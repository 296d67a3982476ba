package dev.escapement.state.input;

/**
 * The input of a tick that outlives the tick: a copy of its frame, or rebuilt from a log.
 *
 * <pre>{@code
 * RecordedInput input = new RecordedInput();
 * input.begin(10_000_000);
 * input.add(0, 0, 1_000_000, InputKind.KEY_DOWN, KEY_W, 0, 0, 1_000_000, false);
 * tickWith(input.frame());
 * }</pre>
 *
 * <p>One thread at a time. Allocates only when a tick has more events or senders than any before.
 *
 * @see InputLevels
 */
public final class RecordedInput {

    private final InputLevels levels = new InputLevels();
    private final InputFrame frame = new InputFrame(levels);

    /** Creates the input of a tick without events, with nothing held. */
    public RecordedInput() {}

    /**
     * Copies a tick's input.
     *
     * @param other the input of a tick
     */
    public void copyFrom(InputFrame other) {
        frame.begin(other.lengthNanos());
        for (int i = 0; i < other.size(); i++) {
            copy(other.event(i));
        }
        levels.copyFrom(other.levels);
    }

    /**
     * Begins another tick, with no events yet. Keeps the levels.
     *
     * @param lengthNanos the length of the tick on the clock
     */
    public void begin(long lengthNanos) {
        frame.begin(lengthNanos);
    }

    /**
     * Adds an event. Add events in the order of their times.
     *
     * @param sender      the sender that offered it, 0 for this process
     * @param sequence    its number in the ring
     * @param timeNanos   when it happened, an instant of the clock
     * @param kind        the kind
     * @param code        the key, button or other code of the kind
     * @param x           the first value
     * @param y           the second value
     * @param offsetNanos see {@link InputEvent#offsetNanos()}
     * @param late        see {@link InputEvent#isLate()}
     * @throws IllegalArgumentException if there is no such code or sender
     */
    public void add(
            int sender,
            long sequence,
            long timeNanos,
            InputKind kind,
            int code,
            float x,
            float y,
            long offsetNanos,
            boolean late) {
        kind.checkOfTick(sender, code);
        InputEvent event = frame.addOwn();
        event.set(sender, timeNanos, kind, code, x, y);
        event.sequence = sequence;
        event.offsetNanos = offsetNanos;
        event.late = late;
        levels.apply(event);
    }

    /**
     * Adds a copy of an event. Add events in the order of their times.
     *
     * @param event an event of another tick
     */
    public void add(InputEvent event) {
        copy(event);
        levels.apply(event);
    }

    /**
     * Adds a copy of an event that arrived too late for this tick. Add events in the order of their times.
     *
     * @param event       the event
     * @param fromNanos   when this tick began, an instant of the clock
     * @param offsetNanos the time from the start of this tick
     */
    public void add(InputEvent event, long fromNanos, long offsetNanos) {
        InputEvent copy = copy(event);
        copy.timeNanos = fromNanos + offsetNanos;
        copy.setOffset(fromNanos, false);
        levels.apply(event);
    }

    private InputEvent copy(InputEvent event) {
        InputEvent copy = frame.addOwn();
        copy.copyFrom(event);
        return copy;
    }

    /** {@return the levels after the added events} A log also sets levels that no event explains, see {@link InputLevels#update}. */
    public InputLevels levels() {
        return levels;
    }

    /**
     * Applies the events to the levels again. Call it after the levels were set to those of a run of the tick that lacked some of the
     * events.
     */
    public void reapplyEvents() {
        for (int i = 0; i < frame.size(); i++) {
            InputEvent event = frame.event(i);
            if (!event.kind.isOfSender()) {
                levels.apply(event);
            }
        }
    }

    /**
     * Moves the stamps of the events to another run of their tick, in proportion to that run's length on the clock. Keeps their offsets and
     * the length of the tick.
     *
     * @param fromNanos     when the tick begins, an instant of the clock
     * @param samplingNanos when the tick is due
     */
    public void moveTo(long fromNanos, long samplingNanos) {
        double speed = (double) (samplingNanos - fromNanos) / frame.lengthNanos();
        for (int i = 0; i < frame.size(); i++) {
            InputEvent event = frame.event(i);
            event.timeNanos = fromNanos + (long) (event.offsetNanos * speed);
        }
    }

    /** {@return the frame of the current tick, valid until {@link #begin} or {@link #copyFrom}} */
    public InputFrame frame() {
        return frame;
    }
}
