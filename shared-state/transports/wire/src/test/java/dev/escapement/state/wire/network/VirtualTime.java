package dev.escapement.state.wire.network;

import java.util.Comparator;
import java.util.PriorityQueue;

/** Runs events on one thread, in the order of their instants. Events of one instant run in the order in which they were added. */
public final class VirtualTime {

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::nanos).thenComparingLong(Event::order));
    private long added;

    /** The current virtual time. */
    public long nanos;

    private record Event(long nanos, long order, Runnable what) {}

    public void at(long thenNanos, Runnable what) {
        events.add(new Event(Math.max(nanos, thenNanos), added++, what));
    }

    public void runUntil(long endNanos) {
        while (!events.isEmpty() && events.element().nanos <= endNanos) {
            Event next = events.remove();
            nanos = next.nanos;
            next.what.run();
        }
        nanos = endNanos;
    }
}
