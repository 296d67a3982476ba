package dev.escapement.state.input;

import java.util.Objects;

/**
 * The levels that events set: held keys and buttons, and positions of axes.
 *
 * <p>A simulation must read levels here and not derive them from events, because it gets no events of a pause.
 *
 * <p>Physics thread only, valid as long as its {@link InputFrame}.
 *
 * @see InputFrame#state()
 */
public final class InputState {

    /** Number of keys: enough for the codes of GLFW and SDL. */
    public static final int KEYS = 512;

    /** Number of buttons of a pointer. */
    public static final int POINTER_BUTTONS = 64;

    /** Number of pointers. */
    public static final int POINTERS = 64;

    /** Number of buttons of all controllers together. */
    public static final int BUTTONS = 1024;

    /** Number of axes of all controllers together. */
    public static final int AXES = 256;

    static final InputState NOTHING = new InputState();

    private static final int FIRST_BUTTON = KEYS + POINTER_BUTTONS;

    /** A bit for each key, then for each button of a pointer, then for each button of a controller. */
    private final long[] held = new long[(FIRST_BUTTON + BUTTONS) / Long.SIZE];

    private final float[] axes = new float[AXES];

    InputState() {}

    /**
     * {@return whether a key is held: it went down and has not come up}
     *
     * @param code the code of the key
     * @throws IndexOutOfBoundsException if the code does not exist
     */
    public boolean isKeyDown(int code) {
        return isHeld(Objects.checkIndex(code, KEYS));
    }

    /**
     * {@return whether a pointer's button is held: it went down and has not come up}
     *
     * @param code the code of the button
     * @throws IndexOutOfBoundsException if the code does not exist
     */
    public boolean isPointerDown(int code) {
        return isHeld(KEYS + Objects.checkIndex(code, POINTER_BUTTONS));
    }

    /**
     * {@return whether a controller's button is held: it went down and has not come up}
     *
     * @param code the code of the button
     * @throws IndexOutOfBoundsException if the code does not exist
     */
    public boolean isButtonDown(int code) {
        return isHeld(FIRST_BUTTON + Objects.checkIndex(code, BUTTONS));
    }

    /**
     * {@return the position of a controller's axis, 0 before its first event}
     *
     * @param code the code of the axis
     * @throws IndexOutOfBoundsException if the code does not exist
     */
    public float axis(int code) {
        return axes[code];
    }

    void apply(InputKind kind, int code, float x) {
        switch (kind) {
            case KEY_DOWN, KEY_UP -> set(code, kind == InputKind.KEY_DOWN);
            case POINTER_DOWN, POINTER_UP -> set(KEYS + code, kind == InputKind.POINTER_DOWN);
            case BUTTON_DOWN, BUTTON_UP -> set(FIRST_BUTTON + code, kind == InputKind.BUTTON_DOWN);
            case AXIS_MOVED -> axes[code] = x;
            case POINTER_MOVED, WHEEL, APPLICATION, SENDER_JOINED, SENDER_LEFT -> {
                // events of these kinds set no level
            }
        }
    }

    void copyFrom(InputState other) {
        System.arraycopy(other.held, 0, held, 0, held.length);
        System.arraycopy(other.axes, 0, axes, 0, axes.length);
    }

    void visitChangesSince(InputState before, int sender, InputLevels.Visitor visitor) {
        visitBits(before, sender, 0, KEYS, InputKind.KEY_DOWN, visitor);
        visitBits(before, sender, KEYS, POINTER_BUTTONS, InputKind.POINTER_DOWN, visitor);
        visitBits(before, sender, FIRST_BUTTON, BUTTONS, InputKind.BUTTON_DOWN, visitor);
        for (int code = 0; code < AXES; code++) {
            // Compares bits, so that NaN equals NaN.
            if (Float.floatToRawIntBits(axes[code]) != Float.floatToRawIntBits(before.axes[code])) {
                visitor.visit(sender, InputKind.AXIS_MOVED, code, axes[code]);
            }
        }
    }

    private void visitBits(
            InputState before, int sender, int first, int count, InputKind press, InputLevels.Visitor visitor) {
        for (int word = first >> 6; word < (first + count) >> 6; word++) {
            for (long different = held[word] ^ before.held[word]; different != 0; different &= different - 1) {
                int bit = word * Long.SIZE + Long.numberOfTrailingZeros(different);
                visitor.visit(sender, isHeld(bit) ? press : press.release(), bit - first, 0);
            }
        }
    }

    private boolean isHeld(int bit) {
        return (held[bit >> 6] & (1L << bit)) != 0;
    }

    private void set(int bit, boolean isHeld) {
        long others = held[bit >> 6] & ~(1L << bit);
        held[bit >> 6] = isHeld ? others | (1L << bit) : others;
    }
}
