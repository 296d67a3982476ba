package dev.escapement.state.event;

import java.util.Arrays;

/** The events of one tick before they are delivered. Physics thread only; allocates only when a tick has more events than any before. */
final class TickEvents {

    private BodyEvent[] events = {};
    private int count;
    private long tick;

    void begin(long newTick) {
        tick = newTick;
        count = 0;
    }

    /** Adds an event, which the caller fills. */
    BodyEvent add() {
        if (count == events.length) {
            events = Arrays.copyOf(events, Math.max(64, 2 * count));
            for (int i = count; i < events.length; i++) {
                events[i] = new BodyEvent();
            }
        }
        return events[count++];
    }

    void sort() {
        EventOrder.sort(events, count);
    }

    long tick() {
        return tick;
    }

    int count() {
        return count;
    }

    BodyEvent get(int index) {
        return events[index];
    }
}
