package dev.escapement.state.event;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The bounded stream of body events for one subscriber, on an LMAX Disruptor ring of preallocated events.
 *
 * <pre>{@code
 * try (EventStream events = physics.events(1024)) {
 *     while (playing) {
 *         events.drain(event -> log(event.kind(), event.body())); // with a picture: drain(view.shown().tick(), ...)
 *     }
 * }
 * }</pre>
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>Order: by tick, then by body id, other id, kind and coordinates; the same in every run of a deterministic simulation. So within a
 *       tick a contact may come before the {@link BodyEvent.Kind#SPAWNED} of its other body. Exception: in the tick after a re-simulation,
 *       the events of two bodies are ordered so that the last one says whether they touch.</li>
 *   <li>Never early: no drain visits an event before the snapshot of its tick was published.</li>
 *   <li>Exactly once: drains visit each event once, or a gap that counts it and stands in its place. Exception: if a thread is abandoned
 *       within {@code Simulation.events}, or its stack overflows during delivery, the events of that tick are lost and not counted.</li>
 *   <li>Independent: a subscriber that does not drain loses its own events, and slows neither the physics thread nor other
 *       subscribers.</li>
 *   <li>From the next tick on: a subscriber does not receive contacts that began before it subscribed, but does receive their end or
 *       retraction.</li>
 * </ol>
 *
 * <p><b>Threads.</b> One thread at a time drains; it need not always be the same. Any thread may close and ask for counts. A drain is
 * wait-free, apart from the visitor.
 *
 * <p>The capacity should hold all events between two drains, and those that wait for a picture to show them. A full ring drops the rest of
 * the tick's events.
 */
public final class EventStream implements AutoCloseable {

    private final EventHub hub;
    private final RingBuffer<BodyEvent> ring;

    /**
     * The sequence of the last visited event. The drain sets it (release), and the physics thread reads it (acquire) before it reuses the
     * event's entry of the ring; without that order a visitor could see a later event, or a mixture of two.
     */
    private final Sequence takenSequence = new Sequence();

    private final AtomicBoolean draining = new AtomicBoolean();

    /** Opaque: the physics thread alone writes it, any thread reads it, and it orders nothing else. */
    private final AtomicLong missedCount = new AtomicLong();

    // Only the physics thread accesses the fields below.

    /** The last sequence claimed in the ring. It is beyond the cursor after an error between a claim and its publish. */
    private long claimedSequence = -1;

    /** The number of missing events that the next gap will report. The two fields below are the first and the last tick of these. */
    private long unreportedCount;

    private long firstUnreportedTick;
    private long lastUnreportedTick;

    EventStream(EventHub hub, int capacity) {
        if (capacity < 1 || Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException(
                    "the capacity of an event stream must be a positive power of two, but is " + capacity
                            + "; 1024 holds the events of some ticks");
        }
        this.hub = hub;
        // A wait strategy that wakes nobody, because no thread waits at this ring; the default strategy would take a
        // lock at each publish to wake waiting threads.
        ring = RingBuffer.createSingleProducer(BodyEvent::new, capacity, new BusySpinWaitStrategy());
        ring.addGatingSequences(takenSequence);
    }

    /**
     * Visits all waiting events in their order. If the visitor throws, its event counts as visited, and those after it wait for the next
     * drain.
     *
     * @param visitor receives each event, which is valid during that call only
     * @return the number of visited events, including gaps
     * @throws IllegalStateException if another thread is draining, or the visitor drains the stream that it visits
     */
    public int drain(Consumer<? super BodyEvent> visitor) {
        return drain(Long.MAX_VALUE, visitor);
    }

    /**
     * Visits the waiting events up to a tick, as {@link #drain(Consumer)} does; those of later ticks stay in the stream. A picture is older
     * than the newest tick, so pass the tick that it shows, {@code view.shown().tick()}, once {@code view.hasWindow()}. Otherwise an impact
     * is heard before it is seen.
     *
     * @param lastTick the last tick whose events are due; a gap is due with its first missing tick
     * @param visitor  receives each event, which is valid during that call only
     * @return the number of visited events, including gaps
     * @throws IllegalStateException if another thread is draining, or the visitor drains the stream that it visits
     */
    public int drain(long lastTick, Consumer<? super BodyEvent> visitor) {
        Objects.requireNonNull(visitor, "an event stream needs a visitor to hand its events to");
        // Volatile: pairs with draining.set(false), so that a drain sees all that an earlier drain on another thread
        // did.
        if (!draining.compareAndSet(false, true)) {
            throw new IllegalStateException("an event stream is drained by one thread at a time: thread '"
                    + Thread.currentThread().getName() + "' drains one that is being drained");
        }
        try {
            long first = takenSequence.get() + 1;
            long last = ring.getCursor(); // acquire, pairs with publish in put: this thread sees the events up to here
            long sequence = first;
            while (sequence <= last && ring.get(sequence).tick() <= lastTick) {
                visit(sequence++, visitor);
            }
            return (int) (sequence - first);
        } finally {
            draining.set(false);
        }
    }

    private void visit(long sequence, Consumer<? super BodyEvent> visitor) {
        hub.drained();
        try {
            visitor.accept(ring.get(sequence));
        } finally {
            takenSequence.set(sequence);
        }
    }

    /**
     * {@return the number of events that this subscriber missed, because it did not drain them in time} Includes events of a gap that the
     * stream has not delivered yet. Any thread may ask.
     */
    public long missed() {
        return missedCount.getOpaque();
    }

    /**
     * Ends the subscription. Idempotent; any thread may call this. The hub may still deliver a tick under way, and delivered events can
     * still be drained.
     */
    @Override
    public void close() {
        hub.remove(this);
    }

    /** Copies as many events of a tick into the ring as fit. Drains see them all at once, unless the ring was full. Physics thread. */
    void deliver(TickEvents events) {
        // Room can only grow during this call, because the drain only takes events.
        int room = (int) (ring.remainingCapacity() + claimedSequence - ring.getCursor());
        if (unreportedCount > 0 && room > 1) {
            putGap();
            room--;
        }
        int fitting = unreportedCount > 0 ? 0 : Math.min(events.count(), room);
        put(events, fitting);
        miss(events.count() - fitting, events.tick());
        if (unreportedCount > 0 && room > fitting) {
            putGap();
        }
    }

    private void put(TickEvents events, int count) {
        if (count > 0) {
            long first = ring.getCursor() + 1;
            long last = claimUpTo(first + count - 1);
            for (int i = 0; i < count; i++) {
                ring.get(first + i).copyFrom(events.get(i));
            }
            ring.publish(last);
        }
    }

    private void putGap() {
        long sequence = claimUpTo(ring.getCursor() + 1);
        ring.get(sequence).setGap(firstUnreportedTick, lastUnreportedTick, unreportedCount);
        ring.publish(sequence);
        unreportedCount = 0;
    }

    private void miss(int count, long tick) {
        if (count > 0) {
            firstUnreportedTick = unreportedCount == 0 ? tick : firstUnreportedTick;
            lastUnreportedTick = tick;
            unreportedCount += count;
            missedCount.setOpaque(missedCount.getPlain() + count);
        }
    }

    /** Claims the ring's sequences up to {@code last}, except those that an earlier call had claimed before an error ended it. */
    private long claimUpTo(long last) {
        try {
            if (claimedSequence < last) {
                claimedSequence = ring.tryNext((int) (last - claimedSequence)); // not next(), which would wait
            }
            return last;
        } catch (InsufficientCapacityException impossible) {
            throw new IllegalStateException("a ring with room for events up to " + last + " has none", impossible);
        }
    }
}
