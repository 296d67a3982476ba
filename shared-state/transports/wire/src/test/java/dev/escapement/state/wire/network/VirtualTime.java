package dev.escapement.state.wire.network;

import java.util.Comparator;
import java.util.PriorityQueue;

/** What happens next, on one thread: events in the order of their instants, those of one instant in the order in which they were added. */
public final class VirtualTime {

    private static final long PRIME = 0x9E3779B97F4A7C15L;
    private static final int TURN = 29;

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::nanos).thenComparingLong(Event::order));
    private long added;
    private long trace;

    /** Now. */
    public long nanos;

    private record Event(long nanos, long order, Runnable what) {}

    public void at(long thenNanos, Runnable what) {
        events.add(new Event(Math.max(nanos, thenNanos), added++, what));
    }

    public void after(long afterNanos, Runnable what) {
        at(nanos + afterNanos, what);
    }

    public void runUntil(long endNanos) {
        while (!events.isEmpty() && events.element().nanos <= endNanos) {
            Event next = events.remove();
            nanos = next.nanos;
            next.what.run();
        }
        nanos = endNanos;
    }

    /** Adds something that happened now to what distinguishes two runs. */
    public void trace(long what) {
        trace = (Long.rotateLeft(trace, TURN) ^ what ^ nanos) * PRIME;
    }

    /** The same for the same run. */
    public long trace() {
        return trace;
    }
}
