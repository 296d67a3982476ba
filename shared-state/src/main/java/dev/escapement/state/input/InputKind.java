package dev.escapement.state.input;

import org.jspecify.annotations.Nullable;

/**
 * The kind of an input event, which also defines the valid codes. A new kind with a level also needs {@code InputState.copyFrom} and
 * {@code reportFrom}, and {@link LevelTracker#MAX_LEVELS}; the compiler finds the switches.
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
    /** A pointer moved to x and y, or by x and y, as its producer defines; the code is the pointer's. */
    POINTER_MOVED(5, "pointer", InputState.POINTERS),
    /** A controller's button went down; the code is the button's. */
    BUTTON_DOWN(6, "controller button", InputState.BUTTONS),
    /** A controller's button came up; the code is the button's. */
    BUTTON_UP(7, "controller button", InputState.BUTTONS),
    /** A controller's axis moved, to x; the code is the axis'. */
    AXIS_MOVED(8, "controller axis", InputState.AXES),
    /** The producer and the simulation agree on its meaning. The codes of {@link DragInput} are in use. */
    APPLICATION(9, "", Integer.MAX_VALUE);

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
     * {@return whether an event with this code is accepted} Any thread may ask.
     *
     * @param code the code of an event of this kind
     */
    public boolean hasCode(int code) {
        return this == APPLICATION || (code >= 0 && code < codes);
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

    void check(int code) {
        if (!hasCode(code)) {
            throw new IllegalArgumentException(this + ": " + what + " codes are 0 to " + (codes - 1)
                    + ", but the code is " + code + "; leave out what has no code, or offer it as APPLICATION");
        }
    }
}
