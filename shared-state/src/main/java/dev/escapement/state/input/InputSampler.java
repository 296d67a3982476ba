package dev.escapement.state.input;

import com.lmax.disruptor.EventPoller;
import java.util.ArrayDeque;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Takes from an {@link InputRing} what belongs to a tick: events stamped up to its sampling time, by time, then by
 * sequence. Later ones wait here, in a heap as large as the ring. A tick takes no more than that: what is left comes with the next,
 * late.
 *
 * <p>Physics thread only. Allocates nothing after construction. When the heap is full of events that are not due, the
 * ring is left alone until there is room: then it fills, and producers are told.
 *
 * @see InputRing
 */
public final class InputSampler {

    private final InputRing ring;
    private final InputState state = new InputState();
    private final InputFrame frame;
    private final PriorityQueue<InputEvent> waiting;
    private final ArrayDeque<InputEvent> unused;
    private final EventPoller.Handler<InputEvent> intoHeap;
    private long previousSamplingNanos;
    private boolean sampledBefore;

    // The heap's size for other threads to read; only the physics thread writes it, nothing is ordered by it.
    private volatile int waitingCount;

    /**
     * Creates the only sampler of a ring. Nothing is held.
     *
     * @param ring where the events come from
     */
    public InputSampler(InputRing ring) {
        this.ring = ring;
        intoHeap = (event, sequence, endOfBatch) -> keep(event, sequence - ring.givenUp());
        int capacity = ring.capacity();
        frame = new InputFrame(capacity, state);
        waiting = new PriorityQueue<>(capacity, InputSampler::byTimeThenSequence);
        unused = new ArrayDeque<>(capacity + 1);
        for (int i = 0; i < capacity; i++) {
            unused.add(new InputEvent());
        }
    }

    /**
     * Takes over what is held, and what waits for a later tick, from another sampler of the same ring, which is not used any more.
     *
     * @param predecessor the sampler before this one
     */
    public void succeed(InputSampler predecessor) {
        state.copyFrom(predecessor.state);
        for (InputEvent event : predecessor.waiting) {
            keep(event, event.sequence());
        }
        waitingCount = waiting.size();
        previousSamplingNanos = predecessor.previousSamplingNanos;
        sampledBefore = predecessor.sampledBefore;
    }

    /**
     * Takes the input of a tick. The frame of the tick before is reused.
     *
     * @param fromNanos     when simulated time left the tick before, an instant of the clock
     * @param samplingNanos the tick's sampling time
     * @return the events stamped up to that time, each exactly once
     */
    public InputFrame sample(long fromNanos, long samplingNanos) {
        for (int i = 0; i < frame.size(); i++) {
            unused.add(frame.event(i));
        }
        frame.begin(samplingNanos - fromNanos);
        takeFromRing();
        InputEvent event;
        while ((event = nextUpTo(samplingNanos)) != null) {
            boolean late = sampledBefore && event.timeNanos() - previousSamplingNanos <= 0;
            event.place(late ? 0 : Math.max(0, event.timeNanos() - fromNanos), late);
            state.apply(event);
            frame.add(event);
        }
        endSample(samplingNanos);
        return frame;
    }

    /**
     * Takes what happens while simulated time stands still: what is held is kept, and all else told to a listener or counted as
     * dropped.
     *
     * @param nowNanos the clock now
     * @param listener is told; null for none
     */
    public void drainWhilePaused(long nowNanos, @Nullable PausedInputListener listener) {
        takeFromRing();
        InputEvent event;
        while ((event = nextUpTo(nowNanos)) != null) {
            unused.add(event); // before the listener, which may throw
            state.apply(event);
            if (listener == null) {
                ring.dropWhilePaused();
            } else {
                event.place(0, false);
                listener.happened(event, state);
            }
        }
        endSample(nowNanos);
    }

    /**
     * Makes room in the ring while the next tick is far away, in slow motion. What is taken waits here, and is applied by the tick
     * that it belongs to.
     */
    public void takeAhead() {
        takeFromRing();
        waitingCount = waiting.size();
    }

    private void takeFromRing() {
        if (!unused.isEmpty()) {
            ring.poll(intoHeap);
        }
    }

    private @Nullable InputEvent nextUpTo(long nanos) {
        InputEvent earliest = waiting.peek();
        return earliest != null && earliest.timeNanos() - nanos <= 0 ? waiting.poll() : null;
    }

    private void endSample(long nanos) {
        previousSamplingNanos = nanos;
        sampledBefore = true;
        waitingCount = waiting.size();
    }

    /**
     * How many events were accepted but belong to no tick yet. Any thread may ask.
     *
     * @return events in the ring and in the heap; exact while nothing is offered and no tick runs
     */
    public long pending() {
        return ring.waiting() + waitingCount;
    }

    /**
     * How many events were taken out of the ring so far. All of them stamped up to the sampling time were in this sample or in one
     * before; those stamped later wait.
     *
     * @return events, those that were dropped while paused included
     */
    public long taken() {
        return ring.taken();
    }

    private boolean keep(InputEvent event, long sequence) {
        InputEvent copy = unused.remove();
        copy.copyFrom(event, sequence);
        waiting.add(copy);
        return !unused.isEmpty();
    }

    private static int byTimeThenSequence(InputEvent a, InputEvent b) {
        long difference = a.timeNanos() - b.timeNanos();
        return difference != 0 ? Long.signum(difference) : Long.compare(a.sequence(), b.sequence());
    }
}
