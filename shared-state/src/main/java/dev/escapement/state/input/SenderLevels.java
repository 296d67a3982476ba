package dev.escapement.state.input;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The levels of all senders together, and of each: of this process, and of the senders that have joined. Those of all are kept apart,
 * because they cannot be computed from the others: a key that two hold comes up when either releases it.
 *
 * <p>One thread. Allocates when more senders join than ever before. An event of this process, sender 0, costs no search; one of another costs a binary search.
 */
final class SenderLevels {

    static final InputState NOTHING = new InputState();

    /** Of all senders together. */
    final InputState all = new InputState();

    /** Of this process, which is sender 0. */
    final InputState own = new InputState();

    /** The senders that have joined, ascending. */
    private int[] joined = new int[0];

    /** The levels of each, and further ones to be used again. */
    private InputState[] states = new InputState[0];

    private int count;

    /** The senders that have left in this tick. */
    private int[] left = new int[0];

    private int leftCount;

    /** The highest number that has joined. */
    private int highest;

    int count() {
        return count;
    }

    int highest() {
        return highest;
    }

    /** The senders, of which the first {@link #count} count. */
    int[] joined() {
        return joined;
    }

    int sender(int index) {
        return joined[index];
    }

    boolean has(int sender) {
        return indexOf(sender) >= 0;
    }

    private int indexOf(int sender) {
        return Arrays.binarySearch(joined, 0, count, sender);
    }

    /** The levels of a sender; null if it has not joined, and not left in this tick. */
    @Nullable
    InputState find(int sender) {
        if (sender == 0) {
            return own;
        }
        int at = indexOf(sender);
        if (at >= 0) {
            return states[at];
        }
        return hasLeft(sender) ? NOTHING : null;
    }

    private boolean hasLeft(int sender) {
        for (int i = 0; i < leftCount; i++) {
            if (left[i] == sender) {
                return true;
            }
        }
        return false;
    }

    /** Begins a tick: who has left before it has no levels any more. */
    void begin() {
        leftCount = 0;
    }

    void apply(InputEvent event) {
        apply(event.sender(), event.kind(), event.code(), event.x());
    }

    /** Applies an event of a sender. That of one that has not joined changes only the levels of all. */
    void apply(int sender, InputKind kind, int code, float x) {
        if (kind == InputKind.SENDER_JOINED) {
            join(sender);
        } else if (kind == InputKind.SENDER_LEFT) {
            leave(sender);
        } else {
            all.apply(kind, code, x);
            applyTo(sender, kind, code, x);
        }
    }

    /** Changes a level as {@link #reportFrom} has found it: of one sender, or of {@link LevelTracker#ALL} and no sender. */
    void level(int sender, InputKind kind, int code, float x) {
        if (sender == LevelTracker.ALL) {
            all.apply(kind, code, x);
        } else if (kind.isOfSender()) {
            apply(sender, kind, code, x);
        } else {
            applyTo(sender, kind, code, x);
        }
    }

    private void applyTo(int sender, InputKind kind, int code, float x) {
        if (sender == 0) {
            own.apply(kind, code, x);
        } else {
            int at = indexOf(sender);
            if (at >= 0) {
                states[at].apply(kind, code, x);
            }
        }
    }

    private void join(int sender) {
        int at = indexOf(sender);
        if (at >= 0) {
            return; // it came again, because the run went back
        }
        reserve(count + 1);
        int to = ~at;
        InputState state = states[count];
        System.arraycopy(joined, to, joined, to + 1, count - to);
        System.arraycopy(states, to, states, to + 1, count - to);
        state.copyFrom(NOTHING);
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
        if (!hasLeft(sender)) {
            if (leftCount == left.length) {
                left = Arrays.copyOf(left, Math.max(8, 2 * leftCount));
            }
            left[leftCount++] = sender;
        }
        highest = Math.max(highest, sender);
    }

    private void reserve(int senders) {
        if (senders > joined.length) {
            int had = joined.length;
            joined = Arrays.copyOf(joined, Math.max(senders, 2 * had));
            states = Arrays.copyOf(states, joined.length);
            for (int i = had; i < states.length; i++) {
                states[i] = new InputState();
            }
        }
    }

    void copyFrom(SenderLevels other) {
        all.copyFrom(other.all);
        own.copyFrom(other.own);
        reserve(other.count);
        for (int i = 0; i < other.count; i++) {
            joined[i] = other.joined[i];
            states[i].copyFrom(other.states[i]);
        }
        count = other.count;
        if (left.length < other.leftCount) {
            left = new int[other.left.length];
        }
        System.arraycopy(other.left, 0, left, 0, other.leftCount);
        leftCount = other.leftCount;
        highest = other.highest;
    }

    /** Takes over what this process holds, and no other sender. Numbers that were given stay given. */
    void copyOwnFrom(SenderLevels other) {
        own.copyFrom(other.own);
        all.copyFrom(own);
        count = 0;
        leftCount = 0;
        highest = other.highest;
    }

    /** Visits what one sender holds. */
    void reportHeld(int sender, LevelTracker.Visitor visitor) {
        InputState held = find(sender);
        if (held != null) {
            held.reportFrom(NOTHING, sender, visitor);
        }
    }

    /** Visits the changes that would turn other levels into these: who has joined and left first. */
    void reportFrom(SenderLevels other, LevelTracker.Visitor visitor) {
        for (int i = 0; i < count; i++) {
            if (!other.has(joined[i])) {
                visitor.level(joined[i], InputKind.SENDER_JOINED, 0, 0);
            }
        }
        for (int i = 0; i < other.count; i++) {
            if (!has(other.joined[i])) {
                visitor.level(other.joined[i], InputKind.SENDER_LEFT, 0, 0);
            }
        }
        all.reportFrom(other.all, LevelTracker.ALL, visitor);
        own.reportFrom(other.own, 0, visitor);
        for (int i = 0; i < count; i++) {
            int at = other.indexOf(joined[i]);
            states[i].reportFrom(at < 0 ? NOTHING : other.states[at], joined[i], visitor);
        }
    }
}
