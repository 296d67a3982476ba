package dev.escapement.state.input;

import java.util.Objects;

/**
 * A copy of a tick's input that outlives the tick: copied from its frame, or rebuilt from a log.
 *
 * <pre>{@code
 * RecordedInput input = new RecordedInput();
 * input.begin(10_000_000);
 * input.add(0, 0, 1_000_000, InputKind.KEY_DOWN, KEY_W, 0, 0, 1_000_000, false);
 * tickWith(input.frame());
 * }</pre>
 *
 * <p>One thread at a time. Allocates only when a tick has more events than any before.
 *
 * @see LevelTracker
 */
public final class RecordedInput {

    private final SenderLevels levels = new SenderLevels();
    private final InputFrame frame = new InputFrame(levels);

    /** Creates the input of a tick without events, with nothing held. */
    public RecordedInput() {}

    /**
     * Becomes a copy of a tick's input.
     *
     * @param other the input of a tick
     */
    public void copyFrom(InputFrame other) {
        frame.begin(other.lengthNanos());
        for (int i = 0; i < other.size(); i++) {
            copy(other.event(i));
        }
        levels.copyFrom(other.levels());
    }

    /**
     * Begins another tick, with no events yet. Keeps the levels.
     *
     * @param lengthNanos how long the tick lasted on the clock
     */
    public void begin(long lengthNanos) {
        frame.begin(lengthNanos);
        levels.begin();
    }

    /**
     * Adds an event, later than those before it.
     *
     * @param sender      who offered it, 0 for this process
     * @param sequence    its place in the ring
     * @param timeNanos   when it happened, an instant of the clock
     * @param kind        what happened
     * @param code        which key, button or other thing
     * @param x           the first value
     * @param y           the second value
     * @param offsetNanos how far into its tick it happened
     * @param late        whether it belonged to an earlier tick
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
        check(sender, kind, code);
        InputEvent event = frame.addOwn();
        event.set(sender, timeNanos, kind, code, x, y);
        event.number(sequence);
        event.place(offsetNanos, late);
        levels.apply(event);
    }

    /**
     * Adds a copy of an event, later than those before it.
     *
     * @param event of another tick
     */
    public void add(InputEvent event) {
        copy(event);
        levels.apply(event);
    }

    /**
     * Adds a copy of an event that was too late for this tick, later than those before it.
     *
     * @param event       the event
     * @param fromNanos   when this tick began, an instant of the clock
     * @param offsetNanos how far into this tick it happened
     */
    public void add(InputEvent event, long fromNanos, long offsetNanos) {
        InputEvent copy = copy(event);
        copy.stamp(fromNanos + offsetNanos);
        copy.place(offsetNanos, false);
        levels.apply(event);
    }

    private InputEvent copy(InputEvent event) {
        InputEvent copy = frame.addOwn();
        copy.copyFrom(event, event.sequence());
        copy.place(event.offsetNanos(), event.isLate());
        return copy;
    }

    /**
     * Changes a level after the events, as a {@link LevelTracker} has found it.
     *
     * @param sender whose level, or {@link LevelTracker#ALL}
     * @param kind   the kind of an event that would change the level so
     * @param code   the code of such an event
     * @param x      the position of an axis
     * @throws IllegalArgumentException if there is no such code or sender
     */
    public void level(int sender, InputKind kind, int code, float x) {
        Objects.requireNonNull(kind, "a level needs the kind of an event that changes it");
        check(sender == LevelTracker.ALL ? 0 : sender, kind, code);
        levels.level(sender, kind, code, x);
    }

    /** Lets levels be as the events of this tick say, where {@link #level} had them of a tick that lacked some of these events. */
    public void levelsOfEvents() {
        for (int i = 0; i < frame.size(); i++) {
            InputEvent event = frame.event(i);
            if (!event.kind().isOfSender()) {
                levels.apply(event);
            }
        }
    }

    /**
     * Visits what a sender holds after the events so far. Allocates nothing.
     *
     * @param sender  its number; one that has not joined holds nothing
     * @param visitor is called for each key and button that is down, and each axis that does not stand at 0
     */
    public void held(int sender, LevelTracker.Visitor visitor) {
        levels.reportHeld(sender, visitor);
    }

    /**
     * Visits the senders that have joined, and what all hold, after the events so far.
     *
     * @param visitor is called for each, with what {@link #level} takes
     */
    public void held(LevelTracker.Visitor visitor) {
        levels.reportFrom(LevelTracker.NOTHING_HELD, visitor);
    }

    private static void check(int sender, InputKind kind, int code) {
        if (!kind.isPossible(sender, code)) {
            if (sender >= 0 && !kind.isOfSender()) {
                kind.check(code); // says which codes there are
            }
            throw new IllegalArgumentException("no tick has an event " + kind + " " + code + " of sender " + sender
                    + "; senders are 0 or more, and those that join and leave 1 or more, with code 0");
        }
    }

    /**
     * Moves the stamps of the events to when their tick runs now, in proportion to its length. Their offsets, and the tick's length, stay
     * as recorded.
     *
     * @param fromNanos     when the tick began, an instant of the clock
     * @param samplingNanos when it was due
     */
    public void moveTo(long fromNanos, long samplingNanos) {
        double speed = (double) (samplingNanos - fromNanos) / frame.lengthNanos();
        for (int i = 0; i < frame.size(); i++) {
            InputEvent event = frame.event(i);
            event.stamp(fromNanos + (long) (event.offsetNanos() * speed));
        }
    }

    /** {@return the frame of the tick that was begun last, valid until the next is} */
    public InputFrame frame() {
        return frame;
    }
}
