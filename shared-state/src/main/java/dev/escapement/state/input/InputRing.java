package dev.escapement.state.input;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import dev.escapement.state.time.NanoClock;
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
 * producer can block the physics thread; a producer that is suspended within {@code offer} delays only the events claimed after its own.
 *
 * <p><b>Room.</b> Moves of pointers, axes and drags use at most three quarters of the places. The others are kept for changes of keys and
 * buttons, because a refused release leaves a key held. A view of {@link RemoteSources#local()} also keeps what a full ring refuses.
 *
 * <p><b>Memory.</b> The first {@code offer} allocates the ring and all of its events, some 80 bytes each. Before that a ring has almost
 * none.
 *
 * <p><b>Errors.</b> An {@code offer} that throws, for example after a stack overflow, delays no other event: its event counts as
 * {@link #rejected()}, and its place is used again. If the error comes after the event was published, the event was accepted and arrives.
 *
 * @see InputSampler
 */
public final class InputRing {

    /** Receives events that no tick takes, because simulated time stands still or the run repeats a source log: for menus, for example. */
    @FunctionalInterface
    public interface PausedListener {

        /**
         * Receives an event that was applied to the levels. The physics thread calls this in the order of time.
         *
         * <p>An exception fails the service, as one of the simulation does; an {@code InlineDriver} throws it to its caller. The event
         * counts as delivered. The events after it wait for the driver's next call.
         *
         * @param event what happened, reused after this call
         * @param state the levels after the event
         */
        void happened(InputEvent event, InputState state);
    }

    /** How far ahead of the clock a stamp may lie. A later stamp is a mistake, for example a date. */
    public static final long MAX_AHEAD_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** One of this many places is kept free of moves. */
    private static final int KEPT_PART = 4;

    // Values of the gate.
    private static final int OPEN = 0;
    private static final int HELD = 1;
    private static final int CLOSED = 2;

    private final NanoClock clock;

    private final int capacity;

    /** Null before the first offer. */
    private final AtomicReference<@Nullable Places> places;

    private final AtomicLong rejected;

    // Written by the physics thread alone, read by any thread. It orders nothing else.
    private final AtomicLong droppedWhilePaused;

    /** Counts places that were claimed and never published. Written by the physics thread alone. */
    private final AtomicLong abandoned;

    // Opaque in offer, so that a loop of offers also sees it: one load of a cache line that is seldom written.
    // It orders nothing: an offer that runs at the same time as close() may be accepted, and then counts as waiting.
    private final AtomicInteger gate;

    /** The only producer that offers through this view of the ring; null for the ring itself, where any thread may offer. */
    private final @Nullable TrackedSource source;

    final SenderNumbers senders;

    /** Runs after each accepted offer. */
    private final @Nullable Runnable offered;

    static {
        // Loads and links all that an offer calls: at the end of a stack that may fail, and a class whose initialiser
        // has thrown can never be used again.
        InputRing linked = new InputRing(1, () -> 0);
        for (int i = 0; i < 2; i++) { // the second finds it full
            linked.offer(0, InputKind.APPLICATION, 0, 0, 0);
            linked.offer(0, InputKind.POINTER_MOVED, 0, 0, 0);
        }
    }

    /**
     * Creates a ring.
     *
     * @param capacity how many events wait at most, a power of two
     * @param clock    the clock that stamps are compared with
     * @throws IllegalArgumentException if the capacity is no positive power of two
     */
    public InputRing(int capacity, NanoClock clock) {
        this(capacity, clock, null);
    }

    /**
     * Creates a ring that reports offers.
     *
     * @param capacity how many events wait at most, a power of two
     * @param clock    the clock that stamps are compared with
     * @param offered  runs on the offering thread after each accepted event; null for nothing
     * @throws IllegalArgumentException if the capacity is no positive power of two
     */
    public InputRing(int capacity, NanoClock clock, @Nullable Runnable offered) {
        if (capacity < 1 || Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException(
                    "the capacity of an input ring must be a positive power of two, but is " + capacity);
        }
        this.clock = clock;
        this.capacity = capacity;
        this.offered = offered;
        places = new AtomicReference<>();
        rejected = new AtomicLong();
        droppedWhilePaused = new AtomicLong();
        abandoned = new AtomicLong();
        gate = new AtomicInteger(OPEN);
        source = null;
        senders = new SenderNumbers();
    }

    private InputRing(InputRing shared, TrackedSource source) {
        clock = shared.clock;
        offered = shared.offered;
        capacity = shared.capacity;
        places = shared.places;
        rejected = shared.rejected;
        droppedWhilePaused = shared.droppedWhilePaused;
        abandoned = shared.abandoned;
        gate = shared.gate;
        senders = shared.senders;
        this.source = source;
    }

    /** Visible to tests, which claim places without publishing them. Any thread; lock-free. The first call allocates. */
    Places places() {
        Places made = madePlaces();
        return made == null ? makePlaces() : made;
    }

    /** The places, null before the first offer. Any thread. */
    private @Nullable Places madePlaces() {
        return places.getAcquire(); // sees them whole: pairs with the compare-and-exchange in makePlaces
    }

    /** If several producers make places at once, one wins, and all use the winner's. */
    private Places makePlaces() {
        Places own = new Places(capacity);
        Places first = places.compareAndExchange(null, own); // releases them to madePlaces, and acquires another's
        return first == null ? own : first;
    }

    /** Creates a view of this ring whose offers go through a producer that tracks them. */
    InputRing viewOf(TrackedSource itsSource) {
        return new InputRing(this, itsSource);
    }

    /**
     * Offers an event. Any thread. Allocates nothing, except in a ring's first offer.
     *
     * @param timeNanos when it happened, an instant of the clock
     * @param kind      what happened
     * @param code      which key, button or other thing
     * @param x         the first value
     * @param y         the second value
     * @return whether it was accepted. Then the next tick that samples at or after its stamp takes it, unless time stands still or the run
     *     repeats a source log ({@link #droppedWhilePaused()}), or a view of {@link RemoteSources#local()} keeps it until there is room. If
     * not,
     *     the ring has no room or is closed, or this is the view of a {@link TrackedSource} that has left; each refusal is counted
     * @throws IllegalArgumentException if the stamp lies more than a second ahead of the clock, or if there is no such code
     */
    public boolean offer(long timeNanos, InputKind kind, int code, float x, float y) {
        Objects.requireNonNull(kind, "an input event needs a kind");
        kind.check(code);
        if (source != null) {
            return source.offer(timeNanos, kind, code, x, y);
        }
        checkStamp(timeNanos);
        return enqueue(0, timeNanos, kind, code, x, y);
    }

    void checkStamp(long timeNanos) {
        long aheadNanos = timeNanos - clock.nanoTime();
        if (aheadNanos > MAX_AHEAD_NANOS) {
            throw new IllegalArgumentException("an input event is stamped " + aheadNanos
                    + " ns ahead of the clock; at most " + MAX_AHEAD_NANOS
                    + " ns are possible: stamp with the service's clock, not with a date");
        }
    }

    /** Offers an event of a sender, of any kind, whose stamp was checked. Any thread. */
    boolean enqueue(int sender, long timeNanos, InputKind kind, int code, float x, float y) {
        if (isClosed()) {
            return refuse();
        }
        Places to = places();
        long sequence;
        try {
            if (kind.isMove(code, x) && !to.ring.hasAvailableCapacity(1 + capacity / KEPT_PART)) {
                return refuse();
            }
            sequence = to.ring.tryNext();
        } catch (InsufficientCapacityException full) {
            return refuse();
        }
        // No call between the claim and the try, and none in the finally block: any call may overflow the stack.
        InputEvent event = to.events[(int) sequence & (to.events.length - 1)];
        boolean published = false;
        try {
            event.set(sender, timeNanos, kind, code, x, y);
            to.ring.publish(sequence);
            published = true;
        } finally { // no catch: its class might have to be loaded first
            if (!published) {
                event.abandoned = sequence;
            }
        }
        if (offered != null) {
            offered.run();
        }
        return true;
    }

    /** Counts a refusal, and returns false. */
    boolean refuse() {
        rejected.getAndIncrement();
        return false;
    }

    /**
     * Refuses every offer from now on, because the world that takes the input ends. Events accepted before can still be taken out. Any
     * thread; idempotent.
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

    /** Whether offers are refused now. Any thread. */
    boolean isClosed() {
        return gate.getOpaque() != OPEN; // pairs with the writes to the gate; nothing else is ordered by it
    }

    /**
     * {@return how many events were accepted so far} Includes events that are just being written, and events whose offer threw until the
     * physics thread comes to their place. Any thread may ask.
     */
    public long accepted() {
        // Acquire, and before the cursor: read after it, this could count places beyond the cursor.
        long never = abandoned.getAcquire();
        Places made = madePlaces();
        return made == null ? 0 : made.ring.getCursor() + 1 - never;
    }

    /**
     * {@return how many events were refused, because the ring was full or closed or the producer had left, or not published, because the
     * offer threw} The latter count when the physics thread comes to their place. Any thread may ask.
     */
    public long rejected() {
        return rejected.get();
    }

    /**
     * {@return how many events no tick and no listener received, because simulated time stood still or the run repeated a source log} Their
     * changes of levels were kept, and a {@link DragInput#END} was replaced. Any thread may ask.
     */
    public long droppedWhilePaused() {
        return droppedWhilePaused.getOpaque();
    }

    /** {@return how many events were accepted, as counted in {@link #accepted()}, and not yet taken out} Any thread may ask. */
    public long waiting() {
        Places made = madePlaces();
        if (made == null) {
            return 0;
        }
        long taken = made.poller.getSequence().get(); // before the cursor: read after it, this could have passed it
        return made.ring.getCursor() - taken;
    }

    /** The number of events taken out so far; exact on the physics thread. */
    long taken() {
        Places made = madePlaces();
        return made == null ? 0 : made.poller.getSequence().get() + 1 - abandoned();
    }

    /** The number of places taken so far that were never published. Physics thread only. */
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
     * Passes events to a handler, in the order of their sequence, until the handler returns false, no event is left, or an abandoned place
     * comes next. Skips that place and returns true: then more events may follow. Physics thread only.
     */
    boolean poll(EventPoller.Handler<InputEvent> handler) {
        Places made = madePlaces();
        if (made == null) {
            return false;
        }
        try {
            made.poller.poll(handler);
            return passAbandoned(made);
        } catch (Exception e) {
            throw new IllegalStateException("an input event could not be taken from the ring", e);
        }
    }

    /** Skips the next place if its producer has abandoned it, and not if that is only suspended: then it still publishes. */
    private boolean passAbandoned(Places made) {
        Sequence taken = made.poller.getSequence();
        long next = taken.get() + 1;
        // A mark of an earlier lap is another number. A place that was published before its offer threw also has a
        // mark, so the mark is read first: then isAvailable sees that event.
        InputEvent event = made.events[(int) next & (made.events.length - 1)];
        if (event.abandoned != next || made.ring.isAvailable(next)) {
            return false;
        }
        rejected.getAndIncrement();
        // Release: a thread that acquires this count in accepted() sees a cursor beyond this place.
        abandoned.setRelease(abandoned.getPlain() + 1);
        taken.set(next); // release: the producer that claims this place again acquires it, as for every event taken
        return true;
    }

    /** The Disruptor ring with its events, allocated by the first offer. */
    static final class Places {

        final RingBuffer<InputEvent> ring;

        private final EventPoller<InputEvent> poller;

        /** The ring's events, to be indexed without a call. */
        private final InputEvent[] events;

        private Places(int capacity) {
            // No thread waits at this ring. The default strategy would lock at each publish, to wake waiting threads.
            ring = RingBuffer.createMultiProducer(InputEvent::new, capacity, new BusySpinWaitStrategy());
            events = new InputEvent[capacity];
            Arrays.setAll(events, ring::get);
            poller = ring.newPoller();
            ring.addGatingSequences(poller.getSequence());
        }
    }
}
