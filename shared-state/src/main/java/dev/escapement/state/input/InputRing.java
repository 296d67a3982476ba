package dev.escapement.state.input;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import dev.escapement.state.time.NanoClock;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Carries input events from any number of threads to the physics thread, on an LMAX Disruptor ring.
 *
 * <p><b>Progress.</b> {@link #offer} is lock-free for the producers and never blocks: if the ring is full, it returns {@code false}. No
 * producer can block the physics thread; a producer suspended within {@code offer} delays only the events claimed after its own.
 *
 * <p><b>Room.</b> Moves of pointers, axes and drags use at most three quarters of the entries; a ring of two entries or fewer keeps none
 * free. The other entries are for all else: a refused release leaves a key held, and no later event makes up for a scroll or a message.
 *
 * <p><b>Memory.</b> The first {@code offer} allocates the ring and all of its events, some 80 bytes each.
 *
 * <p><b>Errors.</b> An {@code offer} that throws, for example after a stack overflow, delays no other event. Its event counts as
 * {@link #rejected()}, and the ring reuses its entry. If the error comes after the publish, the event was accepted and arrives.
 *
 * @see InputSampler
 */
public final class InputRing extends InputSink {

    /** Receives events that no tick takes, because time stands still or the run repeats a source log: for menus, for example. */
    @FunctionalInterface
    public interface PausedListener {

        /**
         * Receives an event that was applied to the levels. The physics thread calls this in the order of time.
         *
         * <p>An exception fails the service, as one of the simulation does; an {@code InlineDriver} throws it to its caller. The event
         * counts as delivered. The events after it wait for the driver's next call.
         *
         * @param event the event, reused after this call
         * @param state the levels after the event
         */
        void happened(InputEvent event, InputState state);
    }

    /** The greatest lead of a stamp over the clock. A later stamp is a mistake, for example a date. */
    public static final long MAX_AHEAD_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Moves leave one of this many entries free, for events that no later event replaces. As many may wait for the end of a pause. */
    private static final int KEPT_PART = 4;

    private static final int ENABLED = 0;
    private static final int DISABLED = 1;
    private static final int CLOSED = 2;

    final NanoClock clock;

    final int capacity;

    private final AtomicReference<@Nullable Entries> entries = new AtomicReference<>();

    private final AtomicLong rejected = new AtomicLong();

    /** Opaque: the physics thread alone writes it, any thread reads it, and it orders nothing else. */
    private final AtomicLong droppedWhilePaused = new AtomicLong();

    /**
     * True while so many events wait for the end of a pause that more would leave no room for others. Opaque: an offer that misses a change
     * takes or lacks an entry a little longer, and it orders nothing else.
     */
    private final AtomicBoolean crowded = new AtomicBoolean();

    /** Counts the entries that were claimed and never published. The physics thread alone writes it, in passAbandoned. */
    private final AtomicLong abandoned = new AtomicLong();

    /**
     * {@link #ENABLED}, {@link #DISABLED} or {@link #CLOSED}. Opaque in offer, so that a loop of offers sees a change; the load is cheap,
     * because the cache line is seldom written. It orders nothing: an event offered during close() may be accepted, and is then among
     * {@link #waiting}.
     */
    private final AtomicInteger gate = new AtomicInteger(ENABLED);

    /**
     * Run by the next accepted offer; null for none. Volatile: an offer claims its entry before it reads this field, and wakeAtNext() sets
     * the field before it looks for claimed entries. Otherwise both could miss each other, and the event would wait.
     */
    private final AtomicReference<@Nullable Runnable> waker = new AtomicReference<>();

    final SenderNumbers senders = new SenderNumbers();

    static {
        // Loads and links all classes of an offer. Else a first offer near the end of a stack could overflow while it
        // links a class, and each later use of that class would fail.
        InputRing linked = new InputRing(1, () -> 0);
        for (int i = 0; i < 2; i++) { // the second round finds the ring full
            linked.offer(0, InputKind.APPLICATION, 0, 0, 0);
            linked.offer(0, InputKind.POINTER_MOVED, 0, 0, 0);
        }
    }

    /**
     * Creates a ring.
     *
     * @param capacity the maximum of waiting events, a power of two
     * @param clock    the clock of the stamps
     * @throws IllegalArgumentException if the capacity is no positive power of two
     */
    public InputRing(int capacity, NanoClock clock) {
        if (capacity < 1 || Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException(
                    "the capacity of an input ring must be a positive power of two, but is " + capacity);
        }
        this.clock = clock;
        this.capacity = capacity;
    }

    /** Returns the ring's entries, which the first call allocates. Any thread; lock-free. */
    Entries entries() {
        Entries current = entriesOrNull();
        return current == null ? makeEntries() : current;
    }

    private @Nullable Entries entriesOrNull() {
        // Acquire, pairs with makeEntries: else a thread could see the entries before their ring.
        return entries.getAcquire();
    }

    private Entries makeEntries() {
        Entries created = new Entries(capacity);
        // If several producers make entries at once, all use the first: a second ring would lose events. Releases the
        // entries to entriesOrNull, and acquires those that another producer made first.
        Entries first = entries.compareAndExchange(null, created);
        return first == null ? created : first;
    }

    /** {@inheritDoc} Any thread. */
    @Override
    public boolean offer(long timeNanos, InputKind kind, int code, float x, float y) {
        check(timeNanos, kind, code);
        return enqueue(0, timeNanos, kind, code, x, y) || refuse();
    }

    @Override
    InputRing ring() {
        return this;
    }

    void check(long timeNanos, InputKind kind, int code) {
        Objects.requireNonNull(kind, "an input event needs a kind");
        kind.check(code);
        long aheadNanos = timeNanos - clock.nanoTime();
        if (aheadNanos > MAX_AHEAD_NANOS) {
            throw new IllegalArgumentException("an input event is stamped " + aheadNanos
                    + " ns ahead of the clock; at most " + MAX_AHEAD_NANOS
                    + " ns are possible: stamp with the service's clock, not with a date");
        }
    }

    /** Offers an event of any sender and kind, with a checked stamp. Any thread. Counts no refusal, because the caller may try again. */
    boolean enqueue(int sender, long timeNanos, InputKind kind, int code, float x, float y) {
        if (gate.getOpaque() != ENABLED || (crowded.getOpaque() && kind.waitsInPause(code))) { // opaque: see the fields
            return false;
        }
        Entries current = entries();
        long sequence;
        try {
            if (kind.isMove(code, x) && !current.ring.hasAvailableCapacity(1 + capacity / KEPT_PART)) {
                return false;
            }
            sequence = current.ring.tryNext();
        } catch (InsufficientCapacityException full) {
            return false;
        }
        // No call between the claim and the try, and none in the finally block: a call may overflow the stack. Then
        // nobody would mark the claimed entry, and no later event would arrive.
        InputEvent event = current.events[(int) sequence & (current.events.length - 1)];
        boolean published = false;
        try {
            event.set(sender, timeNanos, kind, code, x, y);
            current.ring.publish(sequence);
            published = true;
        } finally { // no catch, because the JVM might have to load the exception's class first
            if (!published) {
                event.abandoned = sequence;
            }
        }
        Runnable wake = waker.get();
        if (wake != null && waker.compareAndSet(wake, null)) {
            wake.run();
        }
        return true;
    }

    /**
     * Lets the next accepted offer call {@code wake}, once: for a thread that takes the events, and waits for one. Physics thread only.
     *
     * @param wake ends that wait; the offering thread calls it
     * @return false if an event waits already, which may not have called {@code wake}
     */
    public boolean wakeAtNext(Runnable wake) {
        waker.set(wake);
        VarHandle.fullFence(); // entries() is no volatile read: it must not come before the write
        return waiting() == 0;
    }

    boolean refuse() {
        rejected.getAndIncrement();
        return false;
    }

    /**
     * Refuses every offer from now on, because the world that takes the input ends. Accepted events can still be taken out. Any thread;
     * idempotent.
     */
    public void close() {
        gate.set(CLOSED);
    }

    /** Refuses offers until {@link #enable}, for a world that takes no input yet. Any thread; idempotent, without effect once closed. */
    public void disable() {
        gate.compareAndSet(ENABLED, DISABLED);
    }

    /** Accepts offers again after {@link #disable}. Any thread; idempotent, without effect once closed. */
    public void enable() {
        gate.compareAndSet(DISABLED, ENABLED);
    }

    boolean isClosed() {
        return gate.getOpaque() == CLOSED; // opaque: see the field gate
    }

    /**
     * {@return the number of accepted events} Includes events that a producer is writing, and events whose offer threw until the physics
     * thread comes to their entry. Any thread may ask.
     */
    public long accepted() {
        // Acquire, pairs with the release in passAbandoned, and comes before the cursor: else this method could
        // subtract entries that lie beyond the cursor.
        long abandonedEntries = abandoned.getAcquire();
        Entries current = entriesOrNull();
        return current == null ? 0 : current.ring.getCursor() + 1 - abandonedEntries;
    }

    /**
     * {@return the number of refused events} Includes events whose offer threw, once the physics thread comes to their entry. An event
     * that a {@link TrackedSource} keeps does not count, however often the ring refuses it. Any thread may ask.
     */
    public long rejected() {
        return rejected.get();
    }

    /**
     * {@return the number of events that no tick and no listener received, because time stood still or the run repeated a source log} The
     * levels keep their changes, and the next tick gets {@link OwedEvents}. Any thread may ask.
     */
    public long droppedWhilePaused() {
        return droppedWhilePaused.getOpaque();
    }

    /** {@return the number of accepted events, as in {@link #accepted()}, that were not yet taken out} Any thread may ask. */
    public long waiting() {
        Entries current = entriesOrNull();
        if (current == null) {
            return 0;
        }
        long taken = current.poller.getSequence().get(); // before the cursor: read later, it could exceed the cursor
        return current.ring.getCursor() - taken;
    }

    void crowd(int pausedEvents) {
        crowded.setOpaque(pausedEvents >= Math.max(1, capacity / KEPT_PART)); // opaque: see the field crowded
    }

    void dropWhilePaused() {
        droppedWhilePaused.setOpaque(droppedWhilePaused.getPlain() + 1);
    }

    /**
     * Passes events to a handler in their order, until the handler returns false, no event is left, or an abandoned entry comes next. Skips
     * an abandoned entry and returns true, because more events may follow it. Physics thread only.
     */
    boolean poll(EventPoller.Handler<InputEvent> handler) {
        Entries current = entriesOrNull();
        if (current == null) {
            return false;
        }
        try {
            current.poller.poll(handler);
            return passAbandoned(current);
        } catch (Exception e) {
            throw new IllegalStateException("an input event could not be taken from the ring", e);
        }
    }

    /**
     * Skips the next entry if its producer has abandoned it. A producer that is only suspended still publishes, so its entry is not
     * skipped.
     */
    private boolean passAbandoned(Entries current) {
        Sequence taken = current.poller.getSequence();
        long next = taken.get() + 1;
        // The mark event.abandoned is a smaller number if it is from an earlier lap of the ring. An offer that threw
        // after its publish has left a mark, too. The volatile read of the mark pairs with the write in enqueue, and
        // comes before isAvailable. Else isAvailable could miss the publish, and this method would skip an accepted
        // event.
        InputEvent event = current.events[(int) next & (current.events.length - 1)];
        if (event.abandoned != next || current.ring.isAvailable(next)) {
            return false;
        }
        rejected.getAndIncrement();
        // Release, pairs with the acquire in accepted(): that thread sees a cursor beyond this entry.
        abandoned.setRelease(abandoned.getPlain() + 1);
        taken.set(next); // release, as for every event taken: the producer that claims this entry again acquires it
        return true;
    }

    /** The Disruptor ring with its events, allocated by the first offer. */
    static final class Entries {

        final RingBuffer<InputEvent> ring;

        private final EventPoller<InputEvent> poller;

        /** The ring's events, in an array so that enqueue reads one without a call, which could overflow the stack. */
        private final InputEvent[] events;

        private Entries(int capacity) {
            // A wait strategy that wakes nobody, because no thread waits at this ring. The default strategy would lock
            // at each publish to wake waiting threads.
            ring = RingBuffer.createMultiProducer(InputEvent::new, capacity, new BusySpinWaitStrategy());
            events = new InputEvent[capacity];
            Arrays.setAll(events, ring::get);
            poller = ring.newPoller();
            ring.addGatingSequences(poller.getSequence());
        }
    }
}
