package dev.escapement.state.event;

import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the events of each tick to all subscribers. Without subscribers it collects no contacts, unless a replay wants them.
 *
 * <p><b>Threads.</b> Any thread subscribes, or closes its stream. The physics thread makes all other calls; it reads the subscribers once a
 * tick, and neither locks nor waits.
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
         * @param events takes the contacts, valid during this call
         * @throws Exception if the contacts cannot be reported
         */
        void events(EventWriter events) throws Exception;
    }

    /** Corrects delivered contacts after a re-simulation. */
    public interface Correction {

        /**
         * {@return an empty list for the contacts of a new tick}
         *
         * @param tick its number
         */
        TickEvents begin(long tick);

        /**
         * {@return the bodies of the tick before the new one; the re-simulated bodies if that tick was re-simulated}
         *
         * @param published the last published snapshot
         */
        @Nullable
        Snapshot before(@Nullable Snapshot published);

        /**
         * Adds the contacts of the new tick and the corrections of earlier ones to the events of the new tick.
         *
         * @param events the events, with the tick's spawns and despawns
         */
        void addTo(TickEvents events);

        /** {@return whether the next tick with a step may deliver corrections of earlier ones} */
        boolean isPending();

        /** Drops the corrections, because there is no subscriber. */
        void drop();
    }

    private static final EventStream[] NO_STREAMS = {};

    /**
     * Copied on write. Volatile: the update in subscribe releases a stream to the load in beginTick; else a tick could skip a subscriber,
     * or see a stream before its ring.
     */
    private final AtomicReference<EventStream[]> subscribers = new AtomicReference<>(NO_STREAMS);

    private final TickEvents events = new TickEvents();

    /**
     * The first spawn or despawn of each slot in the ticks without a step since the last step. A despawn says which body the slot had in
     * that step: the next step may end its contacts.
     */
    final TickEvents unstepped = new TickEvents();

    private boolean hasUnstepped;

    private final EventWriter writer = new EventWriter(events, unstepped);

    private EventStream[] listeners = NO_STREAMS;

    private boolean collecting;

    /** The thread of the last step. Stays between two steps, for the reason of {@code PoseWriter}'s thread. */
    private @Nullable Thread thread;

    /**
     * Whether a step runs that has drained nothing yet. Volatile: beginStep stores {@link #thread} before it, and this store releases the
     * thread to the load in drained. Else a thread whose own step is over could take the step of another thread for its own.
     */
    private volatile boolean isUndrained;

    private @Nullable Correction correction;

    /** Creates a hub without subscribers. */
    public EventHub() {}

    /**
     * Subscribes to events, from the next tick that begins. Any thread.
     *
     * @param capacity the maximum of waiting events, a power of two
     * @return a new stream
     * @throws IllegalArgumentException if the capacity is no positive power of two
     */
    public EventStream subscribe(int capacity) {
        EventStream stream = new EventStream(this, capacity);
        subscribers.updateAndGet(streams -> {
            EventStream[] extended = Arrays.copyOf(streams, streams.length + 1);
            extended[streams.length] = stream;
            return extended;
        });
        return stream;
    }

    void remove(EventStream stream) {
        subscribers.updateAndGet(streams ->
                Arrays.stream(streams).filter(other -> other != stream).toArray(EventStream[]::new));
    }

    /**
     * Sets the correction of contacts. Call it before the first tick.
     *
     * @param newCorrection the correction, which keeps the contacts of the last ticks
     */
    public void correctBy(Correction newCorrection) {
        correction = newCorrection;
    }

    /**
     * Begins a tick.
     *
     * @param wantedAnyway whether to collect even without a subscriber, because the replayed run had a subscriber
     * @return whether to collect the tick's events
     */
    public boolean beginTick(boolean wantedAnyway) {
        EventStream[] current = Objects.requireNonNull(subscribers.get());
        if (listeners != current) { // each subscription makes another array
            listeners = current;
        }
        collecting = wantedAnyway || listeners.length > 0;
        return collecting;
    }

    /** Begins a step, whose drains {@link #endStep} reports: a repeat of the step has no subscribers. */
    public void beginStep() {
        Thread caller = Thread.currentThread();
        if (thread != caller) {
            thread = caller;
        }
        isUndrained = true;
    }

    /** {@return whether the step that ends here drained events of this hub} */
    public boolean endStep() {
        boolean drained = !isUndrained;
        isUndrained = false;
        return drained;
    }

    void drained() {
        if (isUndrained && thread == Thread.currentThread()) {
            isUndrained = false;
        }
    }

    /**
     * Collects and sorts the events of a published tick, if {@link #beginTick} returned true for it. Keeps the contacts that a source
     * reported before it threw.
     *
     * @param before the snapshot of the tick before; null for the first
     * @param now    the snapshot of this tick
     * @param source reports the contacts
     * @throws Exception from the source
     */
    public void collect(@Nullable Snapshot before, Snapshot now, Source source) throws Exception {
        Correction corrects = correction;
        if (!collecting) {
            if (hasUnstepped) {
                hasUnstepped = false;
                unstepped.begin(now.tick());
            }
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
            unstepped.begin(now.tick());
            if (corrects != null) {
                corrects.addTo(events);
            }
            events.sort();
        }
    }

    /**
     * Collects the spawns and despawns of a tick without a step. The next tick with a step reports contacts.
     *
     * @param before the snapshot of the tick before; null for the first
     * @param now    the snapshot of this tick
     */
    public void collectLifecycles(@Nullable Snapshot before, Snapshot now) {
        beginTick(false);
        events.begin(now.tick());
        events.addLifecycles(before, now);
        // Even without a subscriber, because a thread may subscribe before the next step. Before the sort, because in a
        // slot the despawn comes first.
        unstepped.addFirstOfSlots(events);
        hasUnstepped = true;
        events.sort();
    }

    /**
     * Collects the contacts of a tick into a list.
     *
     * @param into   the list
     * @param before the bodies of the tick before; null for the first
     * @param now    the bodies of this tick
     * @param source reports the contacts
     * @throws Exception from the source
     */
    public void collectInto(TickEvents into, @Nullable Snapshot before, Snapshot now, Source source) throws Exception {
        writer.begin(into, before, now);
        write(source);
    }

    private void write(Source source) throws Exception {
        try {
            source.events(writer);
        } finally {
            writer.end();
        }
    }

    /**
     * {@return the contacts that last} Allocates. Call it between two ticks.
     *
     * @param now    the last published snapshot
     * @param source reports them
     * @throws IllegalStateException if corrections are yet to come, which a set of these contacts may have already
     * @throws Exception             from the source
     */
    public Contacts list(Snapshot now, Contacts.Source source) throws Exception {
        if (correction != null && correction.isPending()) {
            throw new IllegalStateException(
                    "the next tick corrects contacts after a re-simulation; ask again after it");
        }
        TickEvents list = new TickEvents();
        list.begin(now.tick());
        collectInto(list, null, now, source::touching);
        return new Contacts(
                now.tick(),
                IntStream.range(0, list.count())
                        .mapToObj(i -> Contacts.Contact.of(list.get(i)))
                        .toList());
    }

    /**
     * Takes the contacts of a tick without a snapshot and drops them; else they would pile up in the source. Call it instead of
     * {@link #collect}.
     *
     * @param source reports the contacts
     * @throws Exception from the source
     */
    public void discard(Source source) throws Exception {
        if (!collecting) {
            return;
        }
        writer.beginDiscarding();
        write(source);
    }

    /** Delivers the collected events to the subscribers. */
    public void deliver() {
        for (EventStream stream : listeners) {
            stream.deliver(events);
        }
    }
}
