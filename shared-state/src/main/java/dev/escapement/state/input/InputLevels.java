package dev.escapement.state.input;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The levels after a tick: held keys and buttons and positions of axes, of each sender and of all together.
 *
 * <p>The levels of all together are not the union of the senders' levels: a key that two senders hold comes up when either releases it.
 *
 * <p>Levels also change while simulated time stands still, and no tick gets the events that change them. So a log repeats all input only if
 * it stores the events of each tick and the changes that {@link #update} visits.
 *
 * <p>One thread. Allocates when more senders join than ever before.
 *
 * @see RecordedInput#levels()
 */
public final class InputLevels {

    /** Stands for all senders together. */
    public static final int ALL = -1;

    /** Receives changed levels. */
    @FunctionalInterface
    public interface Visitor {

        /**
         * Visits a changed level. The joins and leaves of senders are visited before all other changes.
         *
         * @param sender the sender of the level, or {@link #ALL}
         * @param kind   the kind of an event that sets the level
         * @param code   the code of such an event
         * @param x      the position of an axis, 0 for other levels
         */
        void visit(int sender, InputKind kind, int code, float x);
    }

    private static final InputLevels NONE = new InputLevels();

    final InputState all = new InputState();

    /** The senders, ascending: 0, which is this process, and those that have joined. The first {@link #count} are valid. */
    int[] senders = {0};

    /** The levels of the sender at the same index of {@link #senders}; unused objects from {@link #count} on. */
    private InputState[] states = {new InputState()};

    int count = 1;

    /** The highest number that a sender has had. */
    int highest;

    /** Creates levels with nothing held and no sender. */
    public InputLevels() {}

    /**
     * Advances to the levels after a tick. Visits each level that differs from what the tick's events make of the levels before the tick.
     *
     * @param frame   the tick's input
     * @param visitor receives each such level
     */
    public void update(InputFrame frame, Visitor visitor) {
        for (int i = 0; i < frame.size(); i++) {
            apply(frame.event(i));
        }
        frame.levels.visitChangesSince(this, visitor);
        copyFrom(frame.levels);
    }

    /**
     * Visits the senders that have joined, then each held key and button, and each axis that is not at 0.
     *
     * @param visitor receives the arguments of {@link #set}
     */
    public void visitHeld(Visitor visitor) {
        visitChangesSince(NONE, visitor);
    }

    /**
     * Visits the held keys and buttons of one sender, and its axes that are not at 0. Allocates nothing.
     *
     * @param sender  its number; a sender that has not joined holds nothing
     * @param visitor receives the arguments of {@link #set}
     */
    public void visitHeld(int sender, Visitor visitor) {
        InputState held = find(sender);
        if (held != null) {
            held.visitChangesSince(InputState.NOTHING, sender, visitor);
        }
    }

    /**
     * Sets a level of one sender, or of {@link #ALL}. Without effect for a sender that has not joined.
     *
     * @param sender the sender of the level, or {@link #ALL}
     * @param kind   the kind of an event that sets the level
     * @param code   the code of such an event
     * @param x      the position of an axis
     * @throws IllegalArgumentException if there is no such code or sender
     */
    public void set(int sender, InputKind kind, int code, float x) {
        Objects.requireNonNull(kind, "a level needs the kind of an event that changes it");
        kind.checkOfTick(sender == ALL ? 0 : sender, code);
        change(sender, kind, code, x);
    }

    private void change(int sender, InputKind kind, int code, float x) {
        InputState state = sender == ALL ? all : find(sender);
        if (kind == InputKind.SENDER_JOINED) {
            join(sender);
        } else if (kind == InputKind.SENDER_LEFT) {
            leave(sender);
        } else if (state != null) {
            state.apply(kind, code, x);
        }
    }

    void apply(InputEvent event) {
        apply(event.sender, event.kind, event.code, event.x);
    }

    void apply(int sender, InputKind kind, int code, float x) {
        all.apply(kind, code, x);
        change(sender, kind, code, x);
    }

    private int indexOf(int sender) {
        return Arrays.binarySearch(senders, 0, count, sender);
    }

    @Nullable
    InputState find(int sender) {
        int at = indexOf(sender);
        return at < 0 ? null : states[at];
    }

    /** Joins a sender with nothing held. A sender that joins again, after a seek, keeps its levels. */
    private void join(int sender) {
        int to = ~indexOf(sender);
        if (to >= 0) {
            reserve(count + 1);
            InputState state = states[count];
            System.arraycopy(senders, to, senders, to + 1, count - to);
            System.arraycopy(states, to, states, to + 1, count - to);
            state.copyFrom(InputState.NOTHING);
            senders[to] = sender;
            states[to] = state;
            count++;
        }
        highest = Math.max(highest, sender);
    }

    private void leave(int sender) {
        int at = indexOf(sender);
        if (at >= 0) {
            InputState unused = states[at];
            count--;
            System.arraycopy(senders, at + 1, senders, at, count - at);
            System.arraycopy(states, at + 1, states, at, count - at);
            states[count] = unused;
        }
        highest = Math.max(highest, sender);
    }

    private void reserve(int size) {
        int had = states.length;
        if (size > had) {
            senders = Arrays.copyOf(senders, Math.max(size, 2 * had));
            states = Arrays.copyOf(states, senders.length);
            Arrays.setAll(states, i -> i < had ? states[i] : new InputState());
        }
    }

    void copyFrom(InputLevels other) {
        all.copyFrom(other.all);
        reserve(other.count);
        for (int i = 0; i < other.count; i++) {
            senders[i] = other.senders[i];
            states[i].copyFrom(other.states[i]);
        }
        count = other.count;
        highest = other.highest;
    }

    /**
     * Copies the levels of this process, and drops all other senders. {@link #highest} still includes their numbers, so that no new sender
     * gets one of them.
     */
    void copyLocalFrom(InputLevels other) {
        states[0].copyFrom(other.states[0]);
        all.copyFrom(states[0]);
        count = 1;
        highest = other.highest;
    }

    void visitChangesSince(InputLevels before, Visitor visitor) {
        for (int i = 0; i < count; i++) {
            if (before.find(senders[i]) == null) {
                visitor.visit(senders[i], InputKind.SENDER_JOINED, 0, 0);
            }
        }
        for (int i = 0; i < before.count; i++) {
            if (find(before.senders[i]) == null) {
                visitor.visit(before.senders[i], InputKind.SENDER_LEFT, 0, 0);
            }
        }
        all.visitChangesSince(before.all, ALL, visitor);
        for (int i = 0; i < count; i++) {
            InputState earlier = before.find(senders[i]);
            states[i].visitChangesSince(earlier == null ? InputState.NOTHING : earlier, senders[i], visitor);
        }
    }
}
