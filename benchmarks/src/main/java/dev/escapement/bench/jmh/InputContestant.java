package dev.escapement.bench.jmh;

import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.time.NanoClock;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.varhandle.MpscVarHandleArrayQueue;

/** The ways to bring input to the thread that ticks: Escapement's, and what people use today, written once. */
public enum InputContestant {
    ESCAPEMENT,
    JCTOOLS,
    LINKED_QUEUE;

    /** Makes a new queue in which so many events wait at most, a power of two. */
    public InputQueue create(int capacity, InputQueue.Sink sink) {
        return switch (this) {
            case ESCAPEMENT -> new RingAndSampler(capacity, sink);
            case JCTOOLS -> new JctoolsQueue(capacity, sink);
            case LINKED_QUEUE -> new LinkedQueue(capacity, sink);
        };
    }

    /** Any thread offers, one drains. All hold a bounded number, refuse what is too much, and count what they refused. */
    public interface InputQueue {

        /** Offers what happened at an instant of {@link System#nanoTime()}; false if it is refused, because the queue is full. */
        boolean offer(long timeNanos, int code, float x, float y);

        /** Hands all that was accepted to the sink that this queue was made for, and says how many events it was. */
        int drain();

        /** How many events were refused because the queue was full. Any thread may ask. */
        long refused();

        /** Takes each event that is drained, on the thread that drains. */
        @FunctionalInterface
        interface Sink {
            void take(long timeNanos, int code, float x, float y);
        }
    }

    /** An event as a user of a queue of objects would write it. */
    record TimedEvent(long timeNanos, int code, float x, float y) {
        private void passTo(InputQueue.Sink sink) {
            sink.take(timeNanos, code, x, y);
        }
    }

    /**
     * Escapement's ring and sampler. It does more than the others: it checks every stamp against the clock, sorts by time, places
     * each event in its tick, and keeps what is held.
     */
    private static final class RingAndSampler implements InputQueue {

        private final NanoClock clock = NanoClock.system();
        private final InputRing ring;
        private final InputSampler sampler;
        private final Sink sink;
        private long sampledNanos = clock.nanoTime();

        RingAndSampler(int capacity, Sink sink) {
            ring = new InputRing(capacity, clock);
            sampler = new InputSampler(ring);
            this.sink = sink;
        }

        @Override
        public boolean offer(long timeNanos, int code, float x, float y) {
            return ring.offer(timeNanos, InputKind.APPLICATION, code, x, y);
        }

        @Override
        public int drain() {
            long nowNanos = clock.nanoTime();
            InputFrame frame = sampler.sample(sampledNanos, nowNanos);
            sampledNanos = nowNanos;
            int size = frame.size();
            for (int i = 0; i < size; i++) {
                InputEvent event = frame.event(i);
                sink.take(event.timeNanos(), event.code(), event.x(), event.y());
            }
            return size;
        }

        @Override
        public long refused() {
            return ring.rejected();
        }
    }

    /** A JCTools array queue for several producers and one consumer, of an object per event, in the order of arrival. */
    private static final class JctoolsQueue implements InputQueue {

        private final MpscVarHandleArrayQueue<TimedEvent> queue;
        private final MessagePassingQueue.Consumer<TimedEvent> toSink;

        // Counts, and orders nothing else.
        private final AtomicLong refused = new AtomicLong();

        JctoolsQueue(int capacity, Sink sink) {
            queue = new MpscVarHandleArrayQueue<>(capacity);
            toSink = event -> event.passTo(sink);
        }

        @Override
        public boolean offer(long timeNanos, int code, float x, float y) {
            boolean accepted = queue.offer(new TimedEvent(timeNanos, code, x, y));
            if (!accepted) {
                refused.getAndIncrement();
            }
            return accepted;
        }

        @Override
        public int drain() {
            return queue.drain(toSink, queue.capacity()); // without a limit it would go on as long as producers do
        }

        @Override
        public long refused() {
            return refused.get();
        }
    }

    /**
     * The JDK's linked queue, of an object per event, in the order of arrival. It has no bound of its own and takes its whole
     * length to count, so a counter beside it bounds it.
     */
    private static final class LinkedQueue implements InputQueue {

        private final int capacity;
        private final Queue<TimedEvent> queue = new ConcurrentLinkedQueue<>();
        private final Sink sink;

        // Both count, and order nothing else: events are passed on by the queue. Places are taken before events are
        // added
        // and given back after they are removed, so the queue is never longer than this says.
        private final AtomicInteger takenPlaces = new AtomicInteger();
        private final AtomicLong refused = new AtomicLong();

        LinkedQueue(int capacity, Sink sink) {
            this.capacity = capacity;
            this.sink = sink;
        }

        @Override
        public boolean offer(long timeNanos, int code, float x, float y) {
            if (takenPlaces.getAndIncrement() >= capacity) {
                takenPlaces.getAndDecrement();
                refused.getAndIncrement();
                return false;
            }
            return queue.add(new TimedEvent(timeNanos, code, x, y));
        }

        @Override
        public int drain() {
            int drained = 0;
            TimedEvent event;
            while (drained < capacity && (event = queue.poll()) != null) {
                event.passTo(sink);
                drained++;
            }
            takenPlaces.getAndAdd(-drained);
            return drained;
        }

        @Override
        public long refused() {
            return refused.get();
        }
    }
}
