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
 * <p><b>Room.</b> Moves of pointers, axes and drags use at most three quarters of the places. The other places are for changes of keys and
 * buttons, because a refused release leaves a key held, and for turns of wheels, which no later event makes up for.
 *
 * <p><b>Views.</b> An object of this class is a ring, or one producer's view of a ring ({@link TrackedSource#ring()}). A view shares the
 * places and counts of its ring, but offers through its tracked source, which knows what the producer holds. A view of
 * {@link RemoteSources#local()} keeps events that the ring refuses while it is full or {@linkplain #hold() held}.
 *
 * <p><b>Memory.</b> The first {@code offer} allocates the ring and all of its events, some 80 bytes each.
 *
 * <p><b>Errors.</b> An {@code offer} that throws, for example after a stack overflow, delays no other event. Its event counts as
 * {@link #rejected()}, and the ring reuses its place. If the error comes after the publish, the event was accepted and arrives.
 *
 * @see InputSampler
 */
public final class InputRing {

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

    /** Moves leave one of this many places free, for events that no later event replaces. */
    private static final int KEPT_PART = 4;

    private static final int OPEN = 0;
    private static final int HELD = 1;
    private static final int CLOSED = 2;

    private final NanoClock clock;

    private final int capacity;

    private final AtomicReference<@Nullable Places> places;

    private final AtomicLong rejected;

    /** Opaque: the physics thread alone writes it, any thread reads it, and it orders nothing else. */
    private final AtomicLong droppedWhilePaused;

    /** Counts the places that were claimed and never published. The physics thread alone writes it, in passAbandoned. */
    private final AtomicLong abandoned;

    /**
     * {@link #OPEN}, {@link #HELD} or {@link #CLOSED}. Opaque in offer, so that a loop of offers sees a change; the load is cheap, because
     * the cache line is seldom written. It orders nothing: an event offered during close() may be accepted, and is then among {@link
     * #waiting}.
     */
    private final AtomicInteger gate;

    /**
     * Run by the next accepted offer; null for none. Volatile: an offer claims its place before it reads this field, and wakeAtNext() sets
     * the field before it looks for claimed places. Otherwise both could miss each other, and the event would wait.
     */
    private final AtomicReference<@Nullable Runnable> waker;

    /** Takes the offers of a view, which come from one thread. Null if this is the ring itself, where any thread may offer. */
    private final @Nullable TrackedSource viewSource;

    final SenderNumbers senders;

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
        places = new AtomicReference<>();
        rejected = new AtomicLong();
        droppedWhilePaused = new AtomicLong();
        abandoned = new AtomicLong();
        gate = new AtomicInteger(OPEN);
        waker = new AtomicReference<>();
        viewSource = null;
        senders = new SenderNumbers();
    }

    private InputRing(InputRing shared, TrackedSource viewSource) {
        clock = shared.clock;
        capacity = shared.capacity;
        places = shared.places;
        rejected = shared.rejected;
        droppedWhilePaused = shared.droppedWhilePaused;
        abandoned = shared.abandoned;
        gate = shared.gate;
        waker = shared.waker;
        senders = shared.senders;
        this.viewSource = viewSource;
    }

    /** Returns the ring's places, which the first call allocates. Any thread; lock-free. */
    Places places() {
        Places current = placesOrNull();
        return current == null ? makePlaces() : current;
    }

    private @Nullable Places placesOrNull() {
        // Acquire, pairs with makePlaces: else a thread could see the places before their ring.
        return places.getAcquire();
    }

    private Places makePlaces() {
        Places created = new Places(capacity);
        // If several producers make places at once, all use the first: a second ring would lose events. Releases the
        // places to placesOrNull, and acquires those that another producer made first.
        Places first = places.compareAndExchange(null, created);
        return first == null ? created : first;
    }

    InputRing viewFor(TrackedSource producer) {
        return new InputRing(this, producer);
    }

    /**
     * Offers an event. Any thread. Allocates nothing, except in a ring's first offer.
     *
     * <p>The next tick that samples at or after the stamp takes an accepted event. While time stands still or the run repeats a source log,
     * no tick takes it ({@link #droppedWhilePaused()}). A view of {@link RemoteSources#local()} accepts an event that the ring refuses for
     * now, and offers it again later.
     *
     * @param timeNanos when it happened, an instant of the clock
     * @param kind      the kind
     * @param code      the key, button or other code of the kind
     * @param x         the first value
     * @param y         the second value
     * @return false, and counted as {@link #rejected()}, if the ring has no room, is held or closed, or the {@link TrackedSource} of this
     *     view has left
     * @throws IllegalArgumentException if the stamp lies more than a second ahead of the clock, or if there is no such code
     */
    public boolean offer(long timeNanos, InputKind kind, int code, float x, float y) {
        Objects.requireNonNull(kind, "an input event needs a kind");
        kind.check(code);
        if (viewSource != null) {
            return viewSource.offer(timeNanos, kind, code, x, y);
        }
        checkStamp(timeNanos);
        return enqueue(0, timeNanos, kind, code, x, y) || refuse();
    }

    void checkStamp(long timeNanos) {
        long aheadNanos = timeNanos - clock.nanoTime();
        if (aheadNanos > MAX_AHEAD_NANOS) {
            throw new IllegalArgumentException("an input event is stamped " + aheadNanos
                    + " ns ahead of the clock; at most " + MAX_AHEAD_NANOS
                    + " ns are possible: stamp with the service's clock, not with a date");
        }
    }

    /** Offers an event of any sender and kind, with a checked stamp. Any thread. Counts no refusal, because the caller may try again. */
    boolean enqueue(int sender, long timeNanos, InputKind kind, int code, float x, float y) {
        if (gate.getOpaque() != OPEN) { // opaque: see the field gate
            return false;
        }
        Places current = places();
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
        // nobody would mark the claimed place, and no later event would arrive.
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
        VarHandle.fullFence(); // places() is no volatile read: it must not come before the write
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

    /** Refuses offers until {@link #open}, for a world that takes no input yet. Any thread; idempotent, without effect once closed. */
    public void hold() {
        gate.compareAndSet(OPEN, HELD);
    }

    /** Accepts offers again after {@link #hold}. Any thread; idempotent, without effect once closed. */
    public void open() {
        gate.compareAndSet(HELD, OPEN);
    }

    boolean isClosed() {
        return gate.getOpaque() == CLOSED; // opaque: see the field gate
    }

    /**
     * {@return the number of accepted events} Includes events that a producer is writing, and events whose offer threw until the physics
     * thread comes to their place. Any thread may ask.
     */
    public long accepted() {
        // Acquire, pairs with the release in passAbandoned, and comes before the cursor: else this method could
        // subtract places that lie beyond the cursor.
        long abandonedPlaces = abandoned.getAcquire();
        Places current = placesOrNull();
        return current == null ? 0 : current.ring.getCursor() + 1 - abandonedPlaces;
    }

    /**
     * {@return the number of refused events} Includes events whose offer threw, once the physics thread comes to their place. An event that
     * a view keeps does not count, however often the ring refuses it. Any thread may ask.
     */
    public long rejected() {
        return rejected.get();
    }

    /**
     * {@return the number of events that no tick and no listener received, because time stood still or the run repeated a source log} The
     * levels keep their changes, and the sampler replaces a {@link DragInput#END}. Any thread may ask.
     */
    public long droppedWhilePaused() {
        return droppedWhilePaused.getOpaque();
    }

    /** {@return the number of accepted events, as in {@link #accepted()}, that were not yet taken out} Any thread may ask. */
    public long waiting() {
        Places current = placesOrNull();
        if (current == null) {
            return 0;
        }
        long taken = current.poller.getSequence().get(); // before the cursor: read later, it could exceed the cursor
        return current.ring.getCursor() - taken;
    }

    long taken() {
        Places current = placesOrNull();
        return current == null ? 0 : current.poller.getSequence().get() + 1 - abandoned();
    }

    long abandoned() {
        return abandoned.getPlain();
    }

    void dropWhilePaused() {
        droppedWhilePaused.setOpaque(droppedWhilePaused.getPlain() + 1);
    }

    long nowNanos() {
        return clock.nanoTime();
    }

    int capacity() {
        return capacity;
    }

    /**
     * Passes events to a handler in their order, until the handler returns false, no event is left, or an abandoned place comes next. Skips
     * an abandoned place and returns true, because more events may follow it. Physics thread only.
     */
    boolean poll(EventPoller.Handler<InputEvent> handler) {
        Places current = placesOrNull();
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
     * Skips the next place if its producer has abandoned it. A producer that is only suspended still publishes, so its place is not
     * skipped.
     */
    private boolean passAbandoned(Places current) {
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
        // Release, pairs with the acquire in accepted(): that thread sees a cursor beyond this place.
        abandoned.setRelease(abandoned.getPlain() + 1);
        taken.set(next); // release, as for every event taken: the producer that claims this place again acquires it
        return true;
    }

    /** The Disruptor ring with its events, allocated by the first offer. */
    static final class Places {

        final RingBuffer<InputEvent> ring;

        private final EventPoller<InputEvent> poller;

        /** The ring's events, in an array so that enqueue reads one without a call, which could overflow the stack. */
        private final InputEvent[] events;

        private Places(int capacity) {
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
