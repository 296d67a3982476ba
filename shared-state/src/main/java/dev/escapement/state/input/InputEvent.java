package dev.escapement.state.input;

/**
 * An input event: its kind, values and time.
 *
 * <p>A ring reuses its events: read one only while its tick runs, and keep no reference.
 *
 * @see InputFrame
 */
public final class InputEvent {

    /** The sequence of the sampler's own events, which no producer has offered. */
    static final long OWN = -1;

    // The ring and the sampler use the fields; others use the methods.
    int sender;
    long sequence;
    long timeNanos;
    InputKind kind = InputKind.APPLICATION;
    int code;
    float x;
    float y;
    boolean late;
    long offsetNanos;

    /**
     * The last sequence that a producer claimed for this entry of a ring and never published, because of an error. Set directly: after a
     * stack overflow the ring may be unable to call a method.
     *
     * <p>Volatile: the write in enqueue releases the producer's other writes to the read in passAbandoned. Else some of these writes could
     * become visible after those of the next producer that uses the entry.
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

    void copyFrom(InputEvent other) {
        set(other.sender, other.timeNanos, other.kind, other.code, other.x, other.y);
        sequence = other.sequence;
        offsetNanos = other.offsetNanos;
        late = other.late;
    }

    /** Sets the offset from the start of its tick. */
    void setOffset(long fromNanos, boolean isLate) {
        offsetNanos = isLate ? 0 : Math.max(0, timeNanos - fromNanos);
        late = isLate;
    }

    /**
     * {@return the number of the sender that offered this event} 0 is this process. Each producer that has
     * {@linkplain RemoteSources#join() joined} has a number of its own, 1 or more. {@link RemoteSources#join()} reuses no number in a run;
     * {@link RemoteSources#join(int)} may.
     *
     * @see InputFrame#state(int)
     */
    public int sender() {
        return sender;
    }

    /**
     * {@return the event's number among all events that the ring has accepted, from 0} It orders events of the same time. It is -1 for an
     * event that no producer has offered: see {@link DragInput#END} and {@link InputKind#SENDER_JOINED}.
     */
    public long sequence() {
        return sequence;
    }

    /** {@return when it happened, an instant of the clock} */
    public long timeNanos() {
        return timeNanos;
    }

    /** {@return the kind, which defines code and values} */
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
     * {@return the time from the start of its tick: nanoseconds of the clock, 0 to {@link InputFrame#lengthNanos()}, exactly as stamped} It
     * is 0 for late events, for events of a pause, and for events before a pause within the tick.
     */
    public long offsetNanos() {
        return offsetNanos;
    }

    /**
     * {@return whether its stamp is not after the previous instant at which the sampler took input, for a tick or in a pause} The event
     * arrived after that instant, or did not fit into that tick.
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
