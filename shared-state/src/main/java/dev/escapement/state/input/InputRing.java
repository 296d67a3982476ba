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
 * buttons, because one that is refused leaves a key held. A view of {@link RemoteSources#local()} also keeps what a full ring refuses.
 *
 * <p><b>Memory.</b> The first {@code offer} makes the ring and all of its events, some 80 bytes each. Before that there is next to nothing.
 *
 * <p><b>Errors.</b> An {@code offer} that throws, for example after a stack overflow, delays no other event: its event counts as
 * {@link #rejected()}, and its place is used again. If the error comes after the event was published, the event was accepted and arrives.
 *
 * @see InputSampler
 */
public final class InputRing {

    /** Gets the events that no tick takes, because simulated time stands still or another run is followed: for menus, for example. */
    @FunctionalInterface
    public interface PausedListener {

        /**
         * Called on the physics thread, in the order of time, after the event was applied to the levels.
         *
         * <p>An exception fails the service, as one of the simulation does; an {@code InlineDriver} throws it to its caller. The event counts
         * as delivered. Those after it wait for the driver's next call.
         *
         * @param event what happened, reused after this call
         * @param state the levels after the event
         */
        void happened(InputEvent event, InputState state);
    }

    /** How far ahead of the clock a stamp may lie. A later one is a mistake, for example a wall-clock date. */
    public static final long MAX_AHEAD_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Moves leave one of this many places free. */
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

    // Written by the physics thread alone; atomic so that any thread may read it, nothing else is ordered by it.
    private final AtomicLong droppedWhilePaused;

    /** How many places were claimed and never published. Written by the physics thread alone. */
    private final AtomicLong abandoned;

    // Opaque in offer: one load of a line that is seldom written, so that a loop of offers also sees it. Nothing is
    // ordered by it: an offer that runs at the same time as close() may be accepted, and then counts as waiting.
    private final AtomicInteger gate;

    /** The only producer that offers through this view of the ring; null for the ring itself, where any thread may offer. */
    private final @Nullable TrackedSource source;

    final SenderNumbers senders;

    /** Called after each offer that was accepted. */
    private final @Nullable Runnable offered;

    static {
        // Loads and links all that an offer calls. At the end of a stack that may fail, and a class whose initialiser
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
     * Creates a ring that tells of offers.
     *
     * @param capacity how many events wait at most, a power of two
     * @param clock    the clock that stamps are compared with
     * @param offered  called by the thread that offers, after each event that was accepted; null for nothing
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

    /** Of several producers that make places, one wins, and all use the winner's. */
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
     * Offers an event. Any thread may call this. Allocates nothing, except the first of a ring.
     *
     * @param timeNanos when it happened, an instant of the clock
     * @param kind      what happened
     * @param code      which key, button or other thing
     * @param x         the first value
     * @param y         the second value
     * @return whether it was accepted: the next tick that samples at or after its stamp takes it, unless time stands still or another run is
     *     followed ({@link #droppedWhilePaused()}), or a view of {@link RemoteSources#local()} keeps it until there is room. If not, the
     *     ring has no room for it or is closed, or this is the view of a {@link TrackedSource} that has left. Each refusal is counted
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
     * Refuses every offer from now on: called when the world that takes the input ends. Events accepted before can still be taken out. Any
     * thread; idempotent.
     */
    public void close() {
        gate.set(CLOSED);
    }

    /** Refuses offers until {@link #open}: for a world that does not take input yet. Any thread; idempotent, without effect once closed. */
    public void hold() {
        gate.compareAndSet(OPEN, HELD);
    }

    /** Takes offers again after {@link #hold}. Any thread; idempotent, without effect once closed. */
    public void open() {
        gate.compareAndSet(HELD, OPEN);
    }

    /** Whether offers are refused now. Any thread. */
    boolean isClosed() {
        return gate.getOpaque() != OPEN; // pairs with the writes to the gate; nothing else is ordered by it
    }

    /**
     * {@return how many events were accepted so far} Includes those that are just being written, and those whose offer threw until the
     * physics thread comes to their place. Any thread may ask.
     */
    public long accepted() {
        // Acquire, and before the cursor: read after it, this could count places beyond the cursor.
        long never = abandoned.getAcquire();
        Places made = madePlaces();
        return made == null ? 0 : made.ring.getCursor() + 1 - never;
    }

    /**
     * {@return how often an event was refused because the ring had no room for it or was closed or its producer had left, or was not
     * published because its offer threw} The latter count when the physics thread comes to their place. Any thread may ask.
     */
    public long rejected() {
        return rejected.get();
    }

    /**
     * {@return how many events no tick and no listener got, because simulated time stood still or another run was followed} Their
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

    /** How many events were taken out so far; exact on the physics thread. */
    long taken() {
        Places made = madePlaces();
        return made == null ? 0 : made.poller.getSequence().get() + 1 - abandoned();
    }

    /** Physics thread: how many of the places taken so far were never published. */
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
     * Physics thread only: passes events to a handler, in the order of their sequence, until it returns false, no event is left, or a place
     * that was abandoned comes next; passes that place, too. Returns whether it did: then more events may follow.
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

    /** Skips the next place if its producer has abandoned it. False if not; a producer that is only suspended still publishes. */
    private boolean passAbandoned(Places made) {
        Sequence taken = made.poller.getSequence();
        long next = taken.get() + 1;
        // A mark of an earlier lap is another number. The mark is read before isAvailable, because an error may also
        // have come after the event was published.
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

    /** What an offered event needs. */
    static final class Places {

        final RingBuffer<InputEvent> ring;

        private final EventPoller<InputEvent> poller;

        /** The ring's events, by their place: indexed without a call. */
        private final InputEvent[] events;

        private Places(int capacity) {
            // No thread waits at this ring; the default strategy would take a lock at each publish to wake waiting
            // threads.
            ring = RingBuffer.createMultiProducer(InputEvent::new, capacity, new BusySpinWaitStrategy());
            events = new InputEvent[capacity];
            Arrays.setAll(events, ring::get);
            poller = ring.newPoller();
            ring.addGatingSequences(poller.getSequence());
        }
    }
}
