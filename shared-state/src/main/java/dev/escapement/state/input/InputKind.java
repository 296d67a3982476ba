package dev.escapement.state.input;

/**
 * The kind of an input event, which also defines the valid codes.
 *
 * @see InputRing
 */
public enum InputKind {
    /** A key went down; the code is the key's. */
    KEY_DOWN("key", InputState.KEYS),
    /** A key came up; the code is the key's. */
    KEY_UP("key", InputState.KEYS),
    /** A pointer's button went down; the code is the button's, x and y say where. */
    POINTER_DOWN("pointer button", InputState.POINTER_BUTTONS),
    /** A pointer's button came up; the code is the button's, x and y say where. */
    POINTER_UP("pointer button", InputState.POINTER_BUTTONS),
    /** A pointer moved, to x and y or by them, as its producer says; the code is the pointer's. */
    POINTER_MOVED("pointer", InputState.POINTERS),
    /** A controller's button went down; the code is the button's. */
    BUTTON_DOWN("controller button", InputState.BUTTONS),
    /** A controller's button came up; the code is the button's. */
    BUTTON_UP("controller button", InputState.BUTTONS),
    /** A controller's axis moved, to x; the code is the axis'. */
    AXIS_MOVED("controller axis", InputState.AXES),
    /** The producer and the simulation agree on its meaning. The codes of {@link DragInput} are taken. */
    APPLICATION("", Integer.MAX_VALUE);

    private final String what;
    private final int codes;

    InputKind(String what, int codes) {
        this.what = what;
        this.codes = codes;
    }

    /**
     * Whether there is such a code. Any thread may ask.
     *
     * @param code the code of an event of this kind
     * @return whether an event with this code is accepted
     */
    public boolean hasCode(int code) {
        return this == APPLICATION || (code >= 0 && code < codes);
    }

    void check(int code) {
        if (!hasCode(code)) {
            throw new IllegalArgumentException(this + ": " + what + " codes are 0 to " + (codes - 1)
                    + ", but the code is " + code + "; leave out what has no code, or offer it as APPLICATION");
        }
    }
}
