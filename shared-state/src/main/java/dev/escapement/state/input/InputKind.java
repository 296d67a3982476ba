package dev.escapement.state.input;

import org.jspecify.annotations.Nullable;

/**
 * The kind of an input event, which also defines the valid codes. A new kind with a level also needs {@code InputState.copyFrom} and
 * {@code reportFrom}; the compiler finds the switches.
 *
 * @see InputRing
 */
public enum InputKind {
    /** A key went down; the code is the key's. */
    KEY_DOWN(1, "key", InputState.KEYS),
    /** A key came up; the code is the key's. */
    KEY_UP(2, "key", InputState.KEYS),
    /** A pointer's button went down; the code is the button's, x and y say where. */
    POINTER_DOWN(3, "pointer button", InputState.POINTER_BUTTONS),
    /** A pointer's button came up; the code is the button's, x and y say where. */
    POINTER_UP(4, "pointer button", InputState.POINTER_BUTTONS),
    /**
     * A pointer moved to x and y; the code is the pointer's. Where room is short, a newer place replaces an older one: so a producer whose
     * device reports distances offers their sum since it began.
     */
    POINTER_MOVED(5, "pointer", InputState.POINTERS),
    /** A controller's button went down; the code is the button's. */
    BUTTON_DOWN(6, "controller button", InputState.BUTTONS),
    /** A controller's button came up; the code is the button's. */
    BUTTON_UP(7, "controller button", InputState.BUTTONS),
    /** A controller's axis moved, to x; the code is the axis'. */
    AXIS_MOVED(8, "controller axis", InputState.AXES),
    /** The producer and the simulation agree on its meaning. The codes of {@link DragInput} are in use. */
    APPLICATION(9, "", Integer.MAX_VALUE),
    /**
     * A sender has joined: its first event, with code 0. If it joined while time stood still, or the run went back to before that, the next
     * tick gets one of no producer. A sender that a simulation knows may so join again: that changes nothing.
     *
     * @see RemoteSources#join()
     */
    SENDER_JOINED(10, "", 0),
    /**
     * A sender has left: its last event, with code 0, after the releases of all keys, buttons and axes that it held. It ends the sender's
     * {@linkplain DragInput drag}. As with {@link #SENDER_JOINED}, one that no tick took is replaced.
     *
     * @see RemoteSources#leave
     */
    SENDER_LEFT(11, "", 0);

    private static final @Nullable InputKind[] BY_NUMBER = new InputKind[values().length + 1];

    static {
        for (InputKind kind : values()) {
            BY_NUMBER[kind.number] = kind;
        }
    }

    private final byte number;
    private final String what;
    private final int codes;

    InputKind(int number, String what, int codes) {
        this.number = (byte) number;
        this.what = what;
        this.codes = codes;
    }

    /**
     * {@return whether an event with this code can be offered} Any thread may ask.
     *
     * @param code the code of an event of this kind
     */
    public boolean hasCode(int code) {
        return this == APPLICATION || (code >= 0 && code < codes);
    }

    /**
     * {@return whether a tick can have such an event: unlike {@link #hasCode}, also one that says that a sender joined or left} Any thread
     * may ask.
     *
     * @param sender who sent it
     * @param code   its code
     */
    public boolean isPossible(int sender, int code) {
        return isOfSender() ? sender >= 1 && code == 0 : sender >= 0 && hasCode(code);
    }

    /** Whether it says that a sender joined or left. */
    boolean isOfSender() {
        return codes == 0;
    }

    /** Whether a later event with the same code makes up for it, so that a ring which is nearly full may refuse it. */
    boolean isMove(int code, float x) {
        return this == POINTER_MOVED
                || (this == AXIS_MOVED && x != 0)
                || (this == APPLICATION
                        && code >= DragInput.HEIGHT
                        && code <= DragInput.REMAINDER
                        && code != DragInput.END);
    }

    /** {@return the number of this kind in logs and messages, 1 or more} It does not depend on the order in which the kinds are declared. */
    public byte number() {
        return number;
    }

    /**
     * {@return the kind with a number, null if there is none}
     *
     * @param number what {@link #number()} returned, perhaps in another version
     */
    public static @Nullable InputKind ofNumber(byte number) {
        return number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    }

    /** Refuses what {@link #isPossible} denies. */
    void checkOfTick(int sender, int code) {
        if (!isPossible(sender, code)) {
            if (sender >= 0 && !isOfSender()) {
                check(code); // says which codes there are
            }
            throw new IllegalArgumentException("no tick has an event " + this + " " + code + " of sender " + sender
                    + "; senders are 0 or more, and those that join and leave 1 or more, with code 0");
        }
    }

    void check(int code) {
        if (!hasCode(code)) {
            if (isOfSender()) {
                throw new IllegalArgumentException(
                        this + " cannot be offered, because it comes from RemoteSources.join()"
                                + " and leave(...); offer an event of your own as APPLICATION");
            }
            throw new IllegalArgumentException(this + ": " + what + " codes are 0 to " + (codes - 1)
                    + ", but the code is " + code + "; leave out what has no code, or offer it as APPLICATION");
        }
    }
}
