package dev.escapement.state.input;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The kind of an input event, which defines its codes and values.
 *
 * @see InputSink
 */
public enum InputKind {
    // The table of input kinds: rings, logs, messages and their validators follow from these rows. A new kind needs the
    // next number and a new version of logs. One with a level needs an array and its cases in InputState, and one whose
    // newer values replace older ones its cases in TrackedSource.

    /** A key went down; the code is the key's. */
    KEY_DOWN(1, "key", InputState.KEYS, Effect.PRESS),
    /** A key came up; the code is the key's. */
    KEY_UP(2, "key", InputState.KEYS, Effect.RELEASE),
    /** A pointer's button went down; the code is the button's, x and y are the pointer's position. */
    POINTER_DOWN(3, "pointer button", InputState.POINTER_BUTTONS, Effect.PRESS),
    /** A pointer's button came up; the code is the button's, x and y are the pointer's position. */
    POINTER_UP(4, "pointer button", InputState.POINTER_BUTTONS, Effect.RELEASE),
    /**
     * A pointer moved to x and y; the code is the pointer's. If a ring has little room, a newer position replaces an older one. So a
     * producer whose device reports relative motion must offer the sum of all motion since its start.
     */
    POINTER_MOVED(5, "pointer", InputState.POINTERS, Effect.MOVE),
    /** A controller's button went down; the code is the button's. */
    BUTTON_DOWN(6, "controller button", InputState.BUTTONS, Effect.PRESS),
    /** A controller's button came up; the code is the button's. */
    BUTTON_UP(7, "controller button", InputState.BUTTONS, Effect.RELEASE),
    /** A controller's axis moved to x; the code is the axis'. */
    AXIS_MOVED(8, "controller axis", InputState.AXES, Effect.AXIS),
    /** An event with a meaning that the producer and the simulation agree on. {@link DragInput} uses some codes. */
    APPLICATION(9, "", Integer.MAX_VALUE, Effect.MESSAGE),
    /**
     * A sender has joined. This is its first event, with code 0. After a join in a pause, or a seek to a tick before the join, the next
     * tick gets an event of the sampler's own, with sequence -1. So a simulation may get this event of a sender that has joined already;
     * the event then changes nothing.
     *
     * @see RemoteSources#join()
     */
    SENDER_JOINED(10, "", 0, Effect.SENDER),
    /**
     * A sender has left. This is its last event, with code 0, after the releases of all keys, buttons and axes that it held. It ends the
     * sender's {@linkplain DragInput drag}. If no tick took this event, the sampler adds an event of its own, as for
     * {@link #SENDER_JOINED}.
     *
     * @see RemoteSources#leave
     */
    SENDER_LEFT(11, "", 0, Effect.SENDER),
    /**
     * A wheel scrolled: x notches to the right, y notches away from the user; the code is the pointer's. Touchpads send fractions of a
     * notch. Scrolls add up, so no later event replaces one.
     */
    WHEEL(12, "wheel", InputState.POINTERS, Effect.SCROLL);

    /** The effect of an event on levels and on earlier events. */
    enum Effect {
        PRESS,
        /** Ends the level of a press. The kind of the press has the next lower number. */
        RELEASE,
        /** Sets a level, which the value 0 ends. */
        AXIS,
        /** Replaces an earlier event with the same code. */
        MOVE,
        /** Adds to earlier events, so that none replaces another. */
        SCROLL,
        /** Has an effect in a tick alone, so that an event of a pause waits for the next tick. */
        MESSAGE,
        /** Begins what an {@link #END} or the leave of its sender ends. */
        BEGIN,
        END,
        SENDER
    }

    private static final @Nullable InputKind[] BY_NUMBER = new InputKind[values().length + 1];

    static {
        for (InputKind kind : values()) {
            BY_NUMBER[kind.number] = kind;
        }
    }

    private final byte number;
    private final String what;
    private final int codes;
    private final Effect effect;

    InputKind(int number, String what, int codes, Effect effect) {
        this.number = (byte) number;
        this.what = what;
        this.codes = codes;
        this.effect = effect;
    }

    /**
     * {@return whether rings accept an event with this code} Any thread may ask.
     *
     * @param code the code of an event of this kind
     */
    public boolean hasCode(int code) {
        return this == APPLICATION || (code >= 0 && code < codes);
    }

    /**
     * {@return whether a tick can have an event with this sender and code} Unlike {@link #hasCode}, it allows joins and leaves. Any thread
     * may ask.
     *
     * @param sender the event's sender
     * @param code   the event's code
     */
    public boolean isPossible(int sender, int code) {
        return isOfSender() ? sender >= 1 && code == 0 : sender >= 0 && hasCode(code);
    }

    /** Returns the effect of an event with a code that its kind has. Only {@link #APPLICATION} has codes with effects of their own. */
    Effect effect(int code) {
        return switch (code) {
            case DragInput.HOLD -> Effect.BEGIN;
            case DragInput.HEIGHT, DragInput.REMAINDER, DragInput.TO -> Effect.MOVE;
            case DragInput.END -> Effect.END;
            default -> effect;
        };
    }

    boolean isOfSender() {
        return effect == Effect.SENDER;
    }

    boolean hasLevel() {
        return effect == Effect.PRESS || effect == Effect.RELEASE || effect == Effect.AXIS;
    }

    boolean isRelease(float x) {
        return effect == Effect.RELEASE || (effect == Effect.AXIS && x == 0);
    }

    /** {@return the kind that ends the level which an event of this kind sets; for an axis this kind, with x at 0} Any thread may ask. */
    public InputKind release() {
        return effect == Effect.PRESS ? Objects.requireNonNull(BY_NUMBER[number + 1]) : this;
    }

    /** {@return whether events of this kind are positions, so that a later one with the same code replaces an earlier one} Any thread. */
    public boolean isPosition() {
        return effect == Effect.MOVE || effect == Effect.AXIS;
    }

    /** Returns whether a later event with the same code replaces this one, so that a nearly full ring may refuse it. */
    boolean isMove(int code, float x) {
        return effect(code) == Effect.MOVE || (effect == Effect.AXIS && x != 0);
    }

    boolean waitsInPause(int code) {
        return effect(code) == Effect.MESSAGE;
    }

    /** Returns whether the next tick gets an event of the sampler's own, if no tick takes this one. */
    boolean isOwed(int code) {
        return isOfSender() || effect(code) == Effect.END;
    }

    /**
     * {@return the number of this kind in logs and messages, 1 or more} It does not depend on the order of declaration.
     */
    public byte number() {
        return number;
    }

    /**
     * {@return the kind with a number; null if there is none}
     *
     * @param number a {@link #number()}, perhaps of another version
     */
    public static @Nullable InputKind ofNumber(byte number) {
        return number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    }

    void checkOfTick(int sender, int code) {
        if (sender >= 0 && !isOfSender()) {
            check(code);
        } else if (!isPossible(sender, code)) {
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
