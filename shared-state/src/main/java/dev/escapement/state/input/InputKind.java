package dev.escapement.state.input;

/** What happened. */
public enum InputKind {
    /** A key went down; the code is the key's. */
    KEY_DOWN,
    /** A key came up; the code is the key's. */
    KEY_UP,
    /** A pointer's button went down; the code is the button's, x and y say where. */
    POINTER_DOWN,
    /** A pointer's button came up; the code is the button's, x and y say where. */
    POINTER_UP,
    /** Whatever the producer and the simulation agree on. */
    APPLICATION
}
