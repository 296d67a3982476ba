package dev.escapement.state.input;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import dev.escapement.state.time.NanoClock;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Carries input events from any number of threads to the physics thread, on an LMAX Disruptor ring.
 *
 * <p><b>Progress.</b> {@link #offer} is lock-free for the producers and never blocks: a full ring is answered with
 * {@code false}. Nothing a producer does can block the physics thread; a producer that is suspended within
 * {@code offer} delays only the events claimed after its own.
 *
 * @see InputSampler
 */
public final class InputRing {

    /** How far ahead of the clock a stamp may lie; what is further is a mistake, a wall-clock date say. */
    public static final long MAX_AHEAD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final NanoClock clock;
    private final RingBuffer<InputEvent> ring;
    private final EventPoller<InputEvent> poller;
    private final AtomicLong rejected = new AtomicLong();

    // Written by the physics thread alone; atomic so that any thread may read it, nothing else is ordered by it.
    private final AtomicLong droppedWhilePaused = new AtomicLong();

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
        // Nobody waits at this ring; the default strategy would take a lock at each publish to wake those who do.
        ring = RingBuffer.createMultiProducer(InputEvent::new, capacity, new BusySpinWaitStrategy());
        poller = ring.newPoller();
        ring.addGatingSequences(poller.getSequence());
    }

    /**
     * Offers an event. Any thread may call this. Allocates nothing.
     *
     * @param timeNanos when it happened, an instant of the clock
     * @param kind      what happened
     * @param code      which key, button or other thing
     * @param x         the first value
     * @param y         the second value
     * @return whether it was accepted; if not, the ring is full, and the refusal was counted
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
        long sequence;
        try {
            sequence = ring.tryNext();
        } catch (InsufficientCapacityException full) {
            rejected.getAndIncrement();
            return false;
        }
        ring.get(sequence).set(timeNanos, kind, code, x, y);
        ring.publish(sequence);
        return true;
    }

    /**
     * How many events were accepted so far. Any thread may ask.
     *
     * @return events, those being written at the moment included
     */
    public long accepted() {
        return ring.getCursor() + 1;
    }

    /**
     * How many events were refused because the ring was full. Any thread may ask.
     *
     * @return events
     */
    public long rejected() {
        return rejected.get();
    }

    /**
     * How many events happened while simulated time stood still and nobody listened. What they did to what is held was kept. Any
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
     * @return events in the ring
     */
    public long waiting() {
        long taken = poller.getSequence().get(); // first: read after the cursor it could have passed it
        return ring.getCursor() - taken;
    }

    /** How many events were taken out so far; exact on the physics thread. */
    long taken() {
        return poller.getSequence().get() + 1;
    }

    void dropWhilePaused() {
        droppedWhilePaused.setOpaque(droppedWhilePaused.getPlain() + 1);
    }

    int capacity() {
        return ring.getBufferSize();
    }

    /** Physics thread only: hands events to a handler, in the order of their sequence, until there are no more or it declines. */
    void poll(EventPoller.Handler<InputEvent> handler) {
        try {
            poller.poll(handler);
        } catch (Exception e) {
            throw new IllegalStateException("an input event could not be taken from the ring", e);
        }
    }
}
