package dev.escapement.physics.replay;

import dev.escapement.state.input.InputKind;
import org.jspecify.annotations.Nullable;

/** The numbers of the kinds of input in a log file. They do not depend on the order in which the kinds are declared. */
final class KindCodes {

    private static final int CODES = 10;
    private static final @Nullable InputKind[] KIND_OF = new InputKind[CODES];

    static {
        for (InputKind kind : InputKind.values()) {
            KIND_OF[codeOf(kind)] = kind;
        }
    }

    private KindCodes() {}

    static byte codeOf(InputKind kind) {
        return switch (kind) {
            case KEY_DOWN -> 1;
            case KEY_UP -> 2;
            case POINTER_DOWN -> 3;
            case POINTER_UP -> 4;
            case POINTER_MOVED -> 5;
            case BUTTON_DOWN -> 6;
            case BUTTON_UP -> 7;
            case AXIS_MOVED -> 8;
            case APPLICATION -> 9;
        };
    }

    /** The kind with a number. Null if there is none: the file is damaged, or of a newer version. */
    static @Nullable InputKind kindOf(byte code) {
        return code >= 0 && code < CODES ? KIND_OF[code] : null;
    }

    /** The names of all kinds by their numbers, for the schema of a file. */
    static String names() {
        StringBuilder names = new StringBuilder();
        for (int code = 0; code < CODES; code++) {
            names.append(code).append(' ').append(KIND_OF[code]).append('\n');
        }
        return names.toString();
    }
}
