package dev.escapement.state.event;

import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the events of each tick to all subscribers. Collects nothing if there are none.
 *
 * <p><b>Threads.</b> Any thread subscribes. The physics thread makes all other calls; it reads the subscribers once a tick, and
 * neither locks nor waits.
 *
 * @see EventStream
 */
public final class EventHub {

    /** A source of contacts, usually a simulation. */
    @FunctionalInterface
    public interface Source {

        /**
         * Reports the contacts of a tick.
         *
         * @param events the writer that takes them, valid during this call
         * @throws Exception if the contacts cannot be reported
         */
        void events(EventWriter events) throws Exception;
    }

    /** Corrects contacts that subscribers received, after ticks were re-simulated. */
    public interface Correction {

        /**
         * {@return an empty list that takes the contacts of a new tick}
         *
         * @param tick its number
         */
        TickEvents begin(long tick);

        /**
         * {@return the bodies of the tick before the new one: the last re-simulated ones, if any}
         *
         * @param published the last published snapshot
         */
        @Nullable
        Snapshot before(@Nullable Snapshot published);

        /**
         * Adds the contacts of the new tick to its events, and the corrections of those before it.
         *
         * @param events the new tick's, with its spawns and despawns
         */
        void addTo(TickEvents events);

        /** Drops the corrections, because nobody listens. */
        void drop();
    }

    private static final EventStream[] NO_STREAMS = {};

    /** Copied on write. Volatile: a tick sees all subscribers that subscribed before it began. */
    private final AtomicReference<EventStream[]> subscribers = new AtomicReference<>(NO_STREAMS);

    private final TickEvents events = new TickEvents();

    /** The bodies that were despawned since the last step, whose contacts end in the next tick. */
    private final TickEvents gone = new TickEvents();

    private final EventWriter writer = new EventWriter(events, gone);

    /** The subscribers that get the events of the current tick. */
    private EventStream[] listening = NO_STREAMS;

    private boolean collecting;

    /** Whether {@link #gone} has bodies. A field here, so that a tick need not load that list. */
    private boolean someGone;

    /** Null if no tick can be re-simulated. */
    private @Nullable Correction correction;

    /** Creates a hub without subscribers. */
    public EventHub() {}

    /**
     * Subscribes to events, from the next tick that begins. Any thread.
     *
     * @param capacity how many events wait at most, a power of two
     * @return a stream of this subscriber's own
     * @throws IllegalArgumentException if the capacity is no positive power of two
     */
    public EventStream subscribe(int capacity) {
        EventStream stream = new EventStream(this, capacity);
        subscribers.updateAndGet(known -> {
            EventStream[] more = Arrays.copyOf(known, known.length + 1);
            more[known.length] = stream;
            return more;
        });
        return stream;
    }

    void remove(EventStream stream) {
        subscribers.updateAndGet(
                known -> Arrays.stream(known).filter(other -> other != stream).toArray(EventStream[]::new));
    }

    /**
     * Sets the correction of contacts. Call it before the first tick.
     *
     * @param newCorrection keeps the contacts of the last ticks
     */
    public void correctBy(Correction newCorrection) {
        correction = newCorrection;
    }

    /**
     * Begins a tick. Physics thread.
     *
     * @param wantedAnyway whether to collect even without a subscriber, because the replayed run had one
     * @return whether its events are wanted
     */
    public boolean beginTick(boolean wantedAnyway) {
        listening = Objects.requireNonNull(subscribers.get());
        collecting = wantedAnyway || listening.length > 0;
        return collecting;
    }

    /**
     * Collects and sorts the events of a tick whose snapshot was published, if they are wanted. If the source throws, what it reported
     * before is kept. Physics thread.
     *
     * @param before the snapshot of the tick before; null for the first
     * @param now    the snapshot of this tick
     * @param source where contacts come from
     * @throws Exception what the source throws
     */
    public void collect(@Nullable Snapshot before, Snapshot now, Source source) throws Exception {
        Correction corrects = correction;
        if (!collecting) {
            forgetGone(now.tick());
            if (corrects != null) {
                corrects.drop();
            }
            return;
        }
        events.begin(now.tick());
        events.addLifecycles(before, now);
        try {
            if (corrects == null) {
                collectInto(events, before, now, source);
            } else {
                collectInto(corrects.begin(now.tick()), corrects.before(before), now, source);
            }
        } finally {
            forgetGone(now.tick());
            if (corrects != null) {
                corrects.addTo(events);
            }
            events.sort();
        }
    }

    /**
     * Collects which bodies were spawned and despawned in a tick that was published without a step. Its contacts come with the next tick.
     * Physics thread.
     *
     * @param before the snapshot of the tick before; null for the first
     * @param now    the snapshot of this tick
     */
    public void collectLifecycles(@Nullable Snapshot before, Snapshot now) {
        beginTick(false);
        events.begin(now.tick());
        if (collecting) {
            events.addLifecycles(before, now);
            events.sort();
            gone.addDespawned(events);
            someGone = gone.count() > 0;
        }
    }

    private void forgetGone(long tick) {
        if (someGone) {
            gone.begin(tick);
            someGone = false;
        }
    }

    /**
     * Collects the contacts of a tick into a list. Physics thread.
     *
     * @param into   the list
     * @param before the bodies of the tick before; null for the first
     * @param now    the bodies of this tick
     * @param source where contacts come from
     * @throws Exception what the source throws
     */
    public void collectInto(TickEvents into, @Nullable Snapshot before, Snapshot now, Source source) throws Exception {
        writer.into(into);
        writer.begin(before, now);
        try {
            source.events(writer);
        } finally {
            writer.end();
        }
    }

    /**
     * Replaces {@link #collect} for a tick that has no snapshot: takes the contacts, which would otherwise pile up in the source, and drops
     * them. Physics thread.
     *
     * @param source where contacts come from
     * @throws Exception what the source throws
     */
    public void discard(Source source) throws Exception {
        if (!collecting) {
            return;
        }
        writer.beginDiscarding();
        try {
            source.events(writer);
        } finally {
            writer.end();
        }
    }

    /** {@return how many events the tick has, 0 if they are not wanted} Physics thread, after {@link #collect}. */
    public int count() {
        return collecting ? events.count() : 0;
    }

    /** Delivers what was collected to the subscribers, if there are any. Physics thread. */
    public void deliver() {
        for (EventStream stream : listening) {
            stream.deliver(events);
        }
    }
}
