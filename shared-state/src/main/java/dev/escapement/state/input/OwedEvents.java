package dev.escapement.state.input;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The events of the sampler's own that the next tick gets, because no tick took or keeps the events that had their effects.
 *
 * <p>Senders join and leave in a pause, and a seek returns to a tick before a join. Drags end in a pause, or in a tick that a seek drops.
 *
 * <p>Physics thread only. Allocates.
 */
public final class OwedEvents {

    private static final int ANY = -1;

    private final TreeSet<Integer> joined = new TreeSet<>();
    private final TreeSet<Integer> left = new TreeSet<>();

    /** The senders whose drags the next tick ends, or {@link #ANY}. */
    private final TreeSet<Integer> endedDrags = new TreeSet<>();

    OwedEvents() {}

    /** Makes the next tick end the drag of any sender. Call it after a seek, or after a start with the state of another run. */
    public void endAnyDrag() {
        endedDrags.add(ANY);
    }

    /** Owes the effect of an event that no tick takes. If it ends a drag, that drag ends, even if its sender joins again. */
    void add(InputEvent event) {
        changeSender(event.sender, event.kind);
        if (event.kind != InputKind.SENDER_JOINED) {
            endedDrags.add(event.sender);
        }
    }

    /** Owes the joins and leaves since a tick with the levels {@code past}, and no others. */
    void changeSenders(InputLevels past, InputLevels now) {
        joined.clear();
        left.clear();
        now.visitChangesSince(past, (sender, kind, code, x) -> changeSender(sender, kind));
    }

    private void changeSender(int sender, InputKind kind) {
        if (kind == InputKind.SENDER_JOINED && !left.remove(sender)) {
            joined.add(sender);
        } else if (kind == InputKind.SENDER_LEFT && !joined.remove(sender)) {
            left.add(sender);
        }
    }

    /** Returns the owed events, stamped {@code nanos}. {@code levels} are those of the senders now. */
    List<InputEvent> events(InputLevels levels, long nanos) {
        List<InputEvent> events = new ArrayList<>();
        left.forEach(sender -> events.add(event(sender, nanos, InputKind.SENDER_LEFT, 0, 0)));
        joined.forEach(sender -> events.add(event(sender, nanos, InputKind.SENDER_JOINED, 0, 0)));
        boolean any = endedDrags.contains(ANY);
        for (int sender : endedDrags) {
            if (any ? sender == ANY : levels.find(sender) != null) { // else something else ends this drag
                events.add(event(Math.max(0, sender), nanos, InputKind.APPLICATION, DragInput.END, any ? 1 : 0));
            }
        }
        return events;
    }

    private static InputEvent event(int sender, long nanos, InputKind kind, int code, float x) {
        InputEvent event = new InputEvent();
        event.set(sender, nanos, kind, code, x, 0);
        event.sequence = InputEvent.OWN;
        return event;
    }
}
