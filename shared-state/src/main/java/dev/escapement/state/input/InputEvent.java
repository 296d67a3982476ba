package dev.escapement.state.input;

/**
 * One input event: what happened, and when.
 *
 * <p>Events are pre-allocated and reused: read one only while its tick runs, and keep no reference.
 *
 * @see InputFrame
 */
public final class InputEvent {

    private long sequence;
    private long timeNanos;
    private InputKind kind = InputKind.APPLICATION;
    private int code;
    private float x;
    private float y;
    private boolean late;
    private long offsetNanos;

    /**
     * Within a ring: the last sequence that a producer claimed here and never published, because an error was thrown in between. The ring
     * sets the field directly, because after a stack overflow it may not be able to call a method. The volatile write releases what the
     * producer wrote before; the read in the ring's poll acquires it, so that the place can be used again.
     */
    volatile long abandoned = -1;

    InputEvent() {}

    void set(long newTimeNanos, InputKind newKind, int newCode, float newX, float newY) {
        timeNanos = newTimeNanos;
        kind = newKind;
        code = newCode;
        x = newX;
        y = newY;
    }

    void copyFrom(InputEvent other, long newSequence) {
        set(other.timeNanos, other.kind, other.code, other.x, other.y);
        number(newSequence);
    }

    void number(long newSequence) {
        sequence = newSequence;
    }

    void stamp(long newTimeNanos) {
        timeNanos = newTimeNanos;
    }

    void place(long newOffsetNanos, boolean isLate) {
        offsetNanos = newOffsetNanos;
        late = isLate;
    }

    /**
     * The event's number in the order in which the ring accepted events; it decides between events of the same time.
     *
     * @return consecutive numbers from 0, over all accepted events of all producers
     */
    public long sequence() {
        return sequence;
    }

    /**
     * When it happened.
     *
     * @return an instant of the clock
     */
    public long timeNanos() {
        return timeNanos;
    }

    /**
     * What happened.
     *
     * @return the kind
     */
    public InputKind kind() {
        return kind;
    }

    /**
     * Which key, button or other thing, as {@link #kind()} says.
     *
     * @return the code
     */
    public int code() {
        return code;
    }

    /**
     * The first value.
     *
     * @return what {@link #kind()} says
     */
    public float x() {
        return x;
    }

    /**
     * The second value.
     *
     * @return what {@link #kind()} says
     */
    public float y() {
        return y;
    }

    /**
     * How far into its tick it happened, exactly as stamped.
     *
     * @return nanoseconds of the clock, 0 to {@link InputFrame#lengthNanos()}; 0 for late events and for those that happened while
     *     simulated time stood still
     */
    public long offsetNanos() {
        return offsetNanos;
    }

    /**
     * Whether it belonged to an earlier tick, but arrived after that tick had sampled its input, or did not fit that tick.
     *
     * @return true if it happened at or before the previous tick's sampling time
     */
    public boolean isLate() {
        return late;
    }

    @Override
    public String toString() {
        return "InputEvent[#" + sequence + " " + kind + " " + code + " (" + x + ", " + y + ") at " + timeNanos + " ns]";
    }
}
