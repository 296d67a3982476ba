package dev.escapement.state.input;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The levels after a tick: which keys and buttons are held and where the axes stand, of each sender and of all together.
 *
 * <p>The levels of all senders together are not the sum of the others: a key that two senders hold comes up when either releases it.
 *
 * <p>Levels also change while simulated time stands still, and no tick gets those events. So a log that can repeat all input has the events
 * of each tick and the changes that {@link #update} visits.
 *
 * <p>One thread. Allocates when more senders join than ever before. Levels of this process, sender 0, are found without a search, those of
 * another sender by a binary search.
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
         * Visits a level. Senders that have joined or left are visited first.
         *
         * @param sender the sender that the level belongs to, or {@link #ALL}
         * @param kind   the kind of an event that would change the level so
         * @param code   the code of such an event
         * @param x      the position of an axis, 0 for other levels
         */
        void visit(int sender, InputKind kind, int code, float x);
    }

    private static final InputLevels NONE = new InputLevels();

    /** The levels of all senders together. */
    final InputState all = new InputState();

    private final InputState own = new InputState();

    /** The senders that have joined, ascending. The first {@link #count} are valid. */
    private int[] joined = new int[0];

    /** The levels of each sender that has joined, then unused ones. */
    private InputState[] states = new InputState[0];

    private int count;
    private int highest;

    /** Creates levels with nothing held and no sender. */
    public InputLevels() {}

    /**
     * Becomes the levels after a tick, and visits those that neither its events nor the levels before explain.
     *
     * @param frame   the tick's input
     * @param visitor receives each such level
     */
    public void update(InputFrame frame, Visitor visitor) {
        for (int i = 0; i < frame.size(); i++) {
            apply(frame.event(i));
        }
        visitDifferences(frame, visitor);
        copyFrom(frame.levels());
    }

    /**
     * Visits the levels after a tick that differ from these, whether or not events explain them. {@link #update} visits at most these, and
     * two for each event.
     *
     * @param frame   the tick's input
     * @param visitor receives each such level
     */
    public void visitDifferences(InputFrame frame, Visitor visitor) {
        frame.levels().visitChangesSince(this, visitor);
    }

    /**
     * Visits the senders that have joined, then each key and button that is held and each axis that does not stand at 0.
     *
     * @param visitor receives what {@link #set} takes
     */
    public void visitHeld(Visitor visitor) {
        visitChangesSince(NONE, visitor);
    }

    /**
     * Visits what one sender holds. Allocates nothing.
     *
     * @param sender  its number; a sender that has not joined holds nothing
     * @param visitor receives each key and button that is held, and each axis that does not stand at 0
     */
    public void visitHeld(int sender, Visitor visitor) {
        InputState held = find(sender);
        if (held != null) {
            held.visitChangesSince(InputState.NOTHING, sender, visitor);
        }
    }

    /**
     * Sets a level as a {@link Visitor} receives it: of one sender or of {@link #ALL}. Without effect for a sender that has not joined.
     *
     * @param sender the sender that the level belongs to, or {@link #ALL}
     * @param kind   the kind of an event that would change the level so
     * @param code   the code of such an event
     * @param x      the position of an axis
     * @throws IllegalArgumentException if there is no such code or sender
     */
    public void set(int sender, InputKind kind, int code, float x) {
        Objects.requireNonNull(kind, "a level needs the kind of an event that changes it");
        kind.checkOfTick(sender == ALL ? 0 : sender, code);
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
        apply(event.sender(), event.kind(), event.code(), event.x());
    }

    /** Applies an event, which changes the levels of its sender and of all. */
    void apply(int sender, InputKind kind, int code, float x) {
        all.apply(kind, code, x);
        set(sender, kind, code, x);
    }

    int count() {
        return count;
    }

    /** The highest number that has ever joined. */
    int highest() {
        return highest;
    }

    int sender(int index) {
        return joined[index];
    }

    boolean has(int sender) {
        return indexOf(sender) >= 0;
    }

    /** Whether exactly these senders, ascending, have joined. */
    boolean hasExactly(int[] senders) {
        return Arrays.equals(joined, 0, count, senders, 0, senders.length);
    }

    int[] copyOfSenders() {
        return Arrays.copyOf(joined, count);
    }

    private int indexOf(int sender) {
        return Arrays.binarySearch(joined, 0, count, sender);
    }

    /** The levels of a sender; null if it has not joined. */
    @Nullable
    InputState find(int sender) {
        if (sender == 0) {
            return own;
        }
        int at = indexOf(sender);
        return at < 0 ? null : states[at];
    }

    /** Lets a sender join with nothing held. One that has joined keeps what it holds: it joins again after a run went back. */
    private void join(int sender) {
        int at = indexOf(sender);
        if (at >= 0) {
            return;
        }
        reserve(count + 1);
        int to = ~at;
        InputState state = states[count];
        System.arraycopy(joined, to, joined, to + 1, count - to);
        System.arraycopy(states, to, states, to + 1, count - to);
        state.copyFrom(InputState.NOTHING);
        joined[to] = sender;
        states[to] = state;
        count++;
        highest = Math.max(highest, sender);
    }

    private void leave(int sender) {
        int at = indexOf(sender);
        if (at >= 0) {
            InputState unused = states[at];
            count--;
            System.arraycopy(joined, at + 1, joined, at, count - at);
            System.arraycopy(states, at + 1, states, at, count - at);
            states[count] = unused;
        }
        highest = Math.max(highest, sender);
    }

    private void reserve(int senders) {
        int had = states.length;
        if (senders > had) {
            joined = Arrays.copyOf(joined, Math.max(senders, 2 * had));
            states = Arrays.copyOf(states, joined.length);
            Arrays.setAll(states, i -> i < had ? states[i] : new InputState());
        }
    }

    void copyFrom(InputLevels other) {
        all.copyFrom(other.all);
        own.copyFrom(other.own);
        reserve(other.count);
        for (int i = 0; i < other.count; i++) {
            joined[i] = other.joined[i];
            states[i].copyFrom(other.states[i]);
        }
        count = other.count;
        highest = other.highest;
    }

    /** Copies what this process holds, without the other senders. Their numbers stay in use. */
    void copyOwnFrom(InputLevels other) {
        own.copyFrom(other.own);
        all.copyFrom(own);
        count = 0;
        highest = other.highest;
    }

    /** Visits the changes that would turn earlier levels into these. */
    void visitChangesSince(InputLevels before, Visitor visitor) {
        for (int i = 0; i < count; i++) {
            if (!before.has(joined[i])) {
                visitor.visit(joined[i], InputKind.SENDER_JOINED, 0, 0);
            }
        }
        for (int i = 0; i < before.count; i++) {
            if (!has(before.joined[i])) {
                visitor.visit(before.joined[i], InputKind.SENDER_LEFT, 0, 0);
            }
        }
        all.visitChangesSince(before.all, ALL, visitor);
        own.visitChangesSince(before.own, 0, visitor);
        for (int i = 0; i < count; i++) {
            InputState earlier = before.find(joined[i]);
            states[i].visitChangesSince(earlier == null ? InputState.NOTHING : earlier, joined[i], visitor);
        }
    }
}
