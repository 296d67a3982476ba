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
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Carries input events from any number of threads to the physics thread, on an LMAX Disruptor ring.
 *
 * <p><b>Progress.</b> {@link #offer} is lock-free for the producers and never blocks: a full ring is answered with
 * {@code false}. Nothing a producer does can block the physics thread; a producer that is suspended within
 * {@code offer} delays only the events claimed after its own.
 *
 * <p><b>Errors.</b> An {@code offer} that throws, because the stack ends in it say, delays nothing: what it has not published is counted
 * as {@link #rejected()}, and its place is used again. An error in its last instructions may come after the event was published: then
 * the event was accepted, and arrives.
 *
 * @see InputSampler
 */
public final class InputRing {

    /** How far ahead of the clock a stamp may lie; what is further is a mistake, a wall-clock date say. */
    public static final long MAX_AHEAD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final NanoClock clock;

    /** Visible to tests, which cannot let an error come between two of its calls. */
    final RingBuffer<InputEvent> ring;

    private final EventPoller<InputEvent> poller;

    /** Those of the ring, by their place in it. */
    private final InputEvent[] events;

    private final AtomicLong rejected;

    // Written by the physics thread alone; atomic so that any thread may read it, nothing else is ordered by it.
    private final AtomicLong droppedWhilePaused;

    /** How many places were claimed and never published. Written by the physics thread alone. */
    private final AtomicLong givenUp;

    /** The source that alone offers through this view of the ring; null where any thread may. */
    private final @Nullable TrackedSource source;

    static {
        // What an offer calls is linked here, with a stack. At the end of one it may fail, and some of it then fails
        // for good: a class whose initialiser has thrown is never initialised.
        InputRing linked = new InputRing(1, () -> 0);
        for (int i = 0; i < 2; i++) { // the second finds it full
            linked.offer(0, InputKind.APPLICATION, 0, 0, 0);
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
        if (capacity < 1 || Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException(
                    "the capacity of an input ring must be a positive power of two, but is " + capacity);
        }
        this.clock = clock;
        // No thread waits at this ring; the default strategy would take a lock at each publish to wake those who do.
        ring = RingBuffer.createMultiProducer(InputEvent::new, capacity, new BusySpinWaitStrategy());
        events = new InputEvent[capacity];
        Arrays.setAll(events, ring::get);
        poller = ring.newPoller();
        ring.addGatingSequences(poller.getSequence());
        rejected = new AtomicLong();
        droppedWhilePaused = new AtomicLong();
        givenUp = new AtomicLong();
        source = null;
    }

    private InputRing(InputRing shared, TrackedSource source) {
        clock = shared.clock;
        ring = shared.ring;
        events = shared.events;
        poller = shared.poller;
        rejected = shared.rejected;
        droppedWhilePaused = shared.droppedWhilePaused;
        givenUp = shared.givenUp;
        this.source = source;
    }

    /** The same ring, for one source. */
    InputRing of(TrackedSource itsSource) {
        return new InputRing(this, itsSource);
    }

    /**
     * Offers an event. Any thread may call this. Allocates nothing.
     *
     * @param timeNanos when it happened, an instant of the clock
     * @param kind      what happened
     * @param code      which key, button or other thing
     * @param x         the first value
     * @param y         the second value
     * @return whether it was accepted: if so, it arrives; if not, the ring is full, or it is that of an {@link InputSource} that is
     *     lost, and the refusal was counted
     * @throws IllegalArgumentException if the stamp lies more than a second ahead of the clock, or if there is no such code
     */
    public boolean offer(long timeNanos, InputKind kind, int code, float x, float y) {
        Objects.requireNonNull(kind, "an input event needs a kind");
        kind.check(code);
        long aheadNanos = timeNanos - clock.nanoTime();
        if (aheadNanos > MAX_AHEAD_NANOS) {
            throw new IllegalArgumentException("an input event is stamped " + aheadNanos
                    + " ns ahead of the clock; at most " + MAX_AHEAD_NANOS
                    + " ns are possible: stamp with the service's clock, not with a date");
        }
        if (source != null && !source.mayOffer(timeNanos, kind, code, x)) {
            rejected.getAndIncrement();
            return false;
        }
        long sequence;
        try {
            sequence = ring.tryNext();
        } catch (InsufficientCapacityException full) {
            rejected.getAndIncrement();
            return false;
        }
        // Nothing is called between the claim and here, and nothing below needs a call: each may find the stack at its
        // end.
        InputEvent event = events[(int) sequence & (events.length - 1)];
        boolean published = false;
        try {
            event.set(timeNanos, kind, code, x, y);
            ring.publish(sequence);
            published = true;
        } finally { // and no catch, whose class may have to be loaded first
            if (!published) {
                event.givenUp = sequence;
            }
        }
        if (source != null) {
            source.accepted(kind, code, x);
        }
        return true;
    }

    /**
     * How many events were accepted so far. Any thread may ask.
     *
     * @return events, those being written at the moment included, and of those whose offer threw those that the physics thread has not
     *     come to
     */
    public long accepted() {
        // Acquire, and first: read after the cursor it could count places beyond it.
        long never = givenUp.getAcquire();
        return ring.getCursor() + 1 - never;
    }

    /**
     * How many events were refused, because the ring was full or their source was lost, or came to nothing because their offer threw. Any
     * thread may ask.
     *
     * @return events; what threw is counted when the physics thread comes to its place
     */
    public long rejected() {
        return rejected.get();
    }

    /**
     * How many events happened while simulated time stood still and there was no listener. What they did to what is held was kept. Any
     * thread may ask.
     *
     * @return events
     */
    public long droppedWhilePaused() {
        return droppedWhilePaused.getOpaque();
    }

    /**
     * How many events were accepted and not yet taken out. Any thread may ask.
     *
     * @return events in the ring, those included that {@link #accepted()} includes
     */
    public long waiting() {
        long taken = poller.getSequence().get(); // first: read after the cursor it could have passed it
        return ring.getCursor() - taken;
    }

    /** How many events were taken out so far; exact on the physics thread. */
    long taken() {
        return poller.getSequence().get() + 1 - givenUp();
    }

    /** Physics thread: how many places before the next to be taken were never published. */
    long givenUp() {
        return givenUp.getPlain();
    }

    void dropWhilePaused() {
        droppedWhilePaused.setOpaque(droppedWhilePaused.getPlain() + 1);
    }

    long nowNanos() {
        return clock.nanoTime();
    }

    int capacity() {
        return ring.getBufferSize();
    }

    /** Physics thread only: hands events to a handler, in the order of their sequence, until there are no more or it declines. */
    void poll(EventPoller.Handler<InputEvent> handler) {
        try {
            do {
                poller.poll(handler);
            } while (passGivenUp());
        } catch (Exception e) {
            throw new IllegalStateException("an input event could not be taken from the ring", e);
        }
    }

    /** Whether the next place was given up by its producer. One that is merely suspended is waited for. */
    private boolean passGivenUp() {
        Sequence taken = poller.getSequence();
        long next = taken.get() + 1;
        // The mark of an earlier lap is another number. Read before asking whether the event is there: an error may
        // have come after it
        // was published.
        if (events[(int) next & (events.length - 1)].givenUp != next || ring.isAvailable(next)) {
            return false;
        }
        rejected.getAndIncrement();
        // Release: who acquires this count in accepted() sees a cursor beyond this place.
        givenUp.setRelease(givenUp.getPlain() + 1);
        taken.set(next); // release: the producer that claims this place again acquires it, as after any event taken
        return true;
    }
}
