package dev.escapement.state.input;

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

    private final long[] keys = new long[KEYS / Long.SIZE];
    private final long[] pointerButtons = new long[POINTER_BUTTONS / Long.SIZE];
    private final long[] buttons = new long[BUTTONS / Long.SIZE];
    private final float[] axes = new float[AXES];

    InputState() {}

    /**
     * {@return whether a key is held: it went down and has not come up}
     *
     * @param code the code of the key
     * @throws IndexOutOfBoundsException if the code does not exist
     */
    public boolean isKeyDown(int code) {
        return isSet(keys, code);
    }

    /**
     * {@return whether a pointer's button is held: it went down and has not come up}
     *
     * @param code the code of the button
     * @throws IndexOutOfBoundsException if the code does not exist
     */
    public boolean isPointerDown(int code) {
        return isSet(pointerButtons, code);
    }

    /**
     * {@return whether a controller's button is held: it went down and has not come up}
     *
     * @param code the code of the button
     * @throws IndexOutOfBoundsException if the code does not exist
     */
    public boolean isButtonDown(int code) {
        return isSet(buttons, code);
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
            case KEY_DOWN -> set(keys, code, true);
            case KEY_UP -> set(keys, code, false);
            case POINTER_DOWN -> set(pointerButtons, code, true);
            case POINTER_UP -> set(pointerButtons, code, false);
            case BUTTON_DOWN -> set(buttons, code, true);
            case BUTTON_UP -> set(buttons, code, false);
            case AXIS_MOVED -> axes[code] = x;
            case POINTER_MOVED, WHEEL, APPLICATION, SENDER_JOINED, SENDER_LEFT -> {
                // events of these kinds set no level
            }
        }
    }

    void copyFrom(InputState other) {
        System.arraycopy(other.keys, 0, keys, 0, keys.length);
        System.arraycopy(other.pointerButtons, 0, pointerButtons, 0, pointerButtons.length);
        System.arraycopy(other.buttons, 0, buttons, 0, buttons.length);
        System.arraycopy(other.axes, 0, axes, 0, axes.length);
    }

    void visitChangesSince(InputState before, int sender, InputLevels.Visitor visitor) {
        visitBits(sender, keys, before.keys, InputKind.KEY_DOWN, InputKind.KEY_UP, visitor);
        visitBits(sender, pointerButtons, before.pointerButtons, InputKind.POINTER_DOWN, InputKind.POINTER_UP, visitor);
        visitBits(sender, buttons, before.buttons, InputKind.BUTTON_DOWN, InputKind.BUTTON_UP, visitor);
        for (int code = 0; code < AXES; code++) {
            // Compares bits, so that NaN equals NaN.
            if (Float.floatToRawIntBits(axes[code]) != Float.floatToRawIntBits(before.axes[code])) {
                visitor.visit(sender, InputKind.AXIS_MOVED, code, axes[code]);
            }
        }
    }

    private static void visitBits(
            int sender, long[] bits, long[] before, InputKind down, InputKind up, InputLevels.Visitor visitor) {
        for (int word = 0; word < bits.length; word++) {
            for (long different = bits[word] ^ before[word]; different != 0; different &= different - 1) {
                int code = word * Long.SIZE + Long.numberOfTrailingZeros(different);
                visitor.visit(sender, isSet(bits, code) ? down : up, code, 0);
            }
        }
    }

    private static boolean isSet(long[] bits, int code) {
        return (bits[code >> 6] & (1L << code)) != 0;
    }

    private static void set(long[] bits, int code, boolean down) {
        if (down) {
            bits[code >> 6] |= 1L << code;
        } else {
            bits[code >> 6] &= ~(1L << code);
        }
    }
}
