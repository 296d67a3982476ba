package dev.escapement.state.input;

/**
 * An input event: what happened, and when.
 *
 * <p>Events are pre-allocated and reused: read one only while its tick runs, and keep no reference.
 *
 * @see InputFrame
 */
public final class InputEvent {

    /** The sequence of an event that no producer has offered: one of the sampler's own. */
    static final long OWN = -1;

    private int sender;
    private long sequence;
    private long timeNanos;
    private InputKind kind = InputKind.APPLICATION;
    private int code;
    private float x;
    private float y;
    private boolean late;
    private long offsetNanos;

    /**
     * The last sequence that a producer claimed for this place of a ring and never published, because an error came in between. The ring
     * sets the field directly: after a stack overflow it may be unable to call a method. The volatile write releases what the producer
     * wrote before; the read in the ring's poll acquires it, so that the place can be used again.
     */
    volatile long abandoned = -1;

    InputEvent() {}

    void set(int newSender, long newTimeNanos, InputKind newKind, int newCode, float newX, float newY) {
        sender = newSender;
        timeNanos = newTimeNanos;
        kind = newKind;
        code = newCode;
        x = newX;
        y = newY;
    }

    void copyFrom(InputEvent other, long newSequence) {
        set(other.sender, other.timeNanos, other.kind, other.code, other.x, other.y);
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
     * {@return the number of the sender that offered it} 0 is this process. Each producer that has {@linkplain RemoteSources#join() joined}
     * has a number of its own, 1 or more. {@link RemoteSources#join()} reuses no number in a run; {@link RemoteSources#join(int)} may.
     *
     * @see InputFrame#state(int)
     */
    public int sender() {
        return sender;
    }

    /**
     * {@return the event's number in the order in which the ring accepted the events of all producers, from 0} It orders events of the same
     * time. It is -1 for an event that no producer has offered: see {@link DragInput#END} and {@link InputKind#SENDER_JOINED}.
     */
    public long sequence() {
        return sequence;
    }

    /** {@return when it happened, an instant of the clock} */
    public long timeNanos() {
        return timeNanos;
    }

    /** {@return what happened} */
    public InputKind kind() {
        return kind;
    }

    /** {@return the key, button or other code that {@link #kind()} defines} */
    public int code() {
        return code;
    }

    /** {@return the first value, which {@link #kind()} defines} */
    public float x() {
        return x;
    }

    /** {@return the second value, which {@link #kind()} defines} */
    public float y() {
        return y;
    }

    /**
     * {@return how far into its tick it happened: nanoseconds of the clock, 0 to {@link InputFrame#lengthNanos()}, exactly as stamped} It
     * is 0 for late events and for those that happened while simulated time stood still.
     */
    public long offsetNanos() {
        return offsetNanos;
    }

    /**
     * {@return whether it happened at or before the instant at which input was last taken, for a tick or while time stood still} It arrived
     * after that, or did not fit into that tick.
     */
    public boolean isLate() {
        return late;
    }

    @Override
    public String toString() {
        return "InputEvent[#" + sequence + " " + kind + " " + code + " (" + x + ", " + y + ")"
                + (sender == 0 ? "" : " of sender " + sender) + " at " + timeNanos + " ns]";
    }
}
