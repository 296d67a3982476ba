package dev.escapement.state.input;

import com.lmax.disruptor.EventPoller;
import java.util.ArrayDeque;
import java.util.PriorityQueue;

/**
 * Takes from an {@link InputRing} what belongs to a tick: events stamped up to its sampling time, by time, then by
 * sequence. Later ones wait here, in a heap as large as the ring.
 *
 * <p>Physics thread only. Allocates nothing after construction. When the heap is full of events that are not due, the
 * ring is left alone until there is room: then it fills, and producers are told.
 */
public final class InputSampler {

    private final InputRing ring;
    private final InputFrame frame;
    private final PriorityQueue<InputEvent> waiting;
    private final ArrayDeque<InputEvent> unused;
    private final EventPoller.Handler<InputEvent> intoHeap = this::keep;
    private long previousSamplingNanos;
    private boolean sampledBefore;

    // The heap's size for other threads to read; only the physics thread writes it, nothing is ordered by it.
    private volatile int waitingCount;

    /**
     * Creates the only sampler of a ring.
     *
     * @param ring where the events come from
     */
    public InputSampler(InputRing ring) {
        this.ring = ring;
        int capacity = ring.capacity();
        frame = new InputFrame(capacity);
        waiting = new PriorityQueue<>(capacity, InputSampler::byTimeThenSequence);
        unused = new ArrayDeque<>(capacity + 1);
        for (int i = 0; i < capacity; i++) {
            unused.add(new InputEvent());
        }
    }

    /**
     * Takes the input of a tick. The frame of the tick before is reused.
     *
     * @param samplingNanos the tick's sampling time, an instant of the clock
     * @return the events stamped up to that time, each exactly once
     */
    public InputFrame sample(long samplingNanos) {
        for (int i = 0; i < frame.size(); i++) {
            unused.add(frame.event(i));
        }
        frame.clear();
        if (!unused.isEmpty()) {
            ring.poll(intoHeap);
        }
        InputEvent earliest;
        while ((earliest = waiting.peek()) != null && earliest.timeNanos() - samplingNanos <= 0) {
            waiting.poll();
            earliest.markLate(sampledBefore && earliest.timeNanos() - previousSamplingNanos <= 0);
            frame.add(earliest);
        }
        previousSamplingNanos = samplingNanos;
        sampledBefore = true;
        waitingCount = waiting.size();
        return frame;
    }

    /**
     * How many events were accepted but belong to no tick yet. Any thread may ask.
     *
     * @return events in the ring and in the heap; exact while nothing is offered and no tick runs
     */
    public long pending() {
        return ring.waiting() + waitingCount;
    }

    private boolean keep(InputEvent event, long sequence, boolean endOfBatch) {
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
