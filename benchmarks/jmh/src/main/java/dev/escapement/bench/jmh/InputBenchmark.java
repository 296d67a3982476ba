package dev.escapement.bench.jmh;

import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.time.NanoClock;
import java.util.concurrent.TimeUnit;
import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.varhandle.MpscVarHandleArrayQueue;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Measures one input event on one thread: stamping, offering and draining it.
 *
 * <p>Escapement does more than the queue: it checks the stamp against the clock, reads the clock for the drain, sorts by time and assigns
 * the event to its tick. The queue allocates an object per event and delivers events in the order of arrival.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class InputBenchmark {

    /** The capacity of ring and queue, enough for 10,000 events per tick. */
    static final int CAPACITY = 16_384;

    /** The events of one benchmark thread. The drain reads all fields of an event, because the code of a tick does at least that. */
    @State(Scope.Thread)
    public abstract static class Events {

        int drained;
        private long sum;

        final void take(long timeNanos, int code, float x, float y) {
            drained++;
            sum += timeNanos + code + (long) (x + y);
        }

        final long offerAndDrain() {
            offer(System.nanoTime(), 1, 1, 2);
            drain();
            return sum;
        }

        abstract boolean offer(long timeNanos, int code, float x, float y);

        abstract void drain();
    }

    public static class Ring extends Events {

        private final NanoClock clock = NanoClock.system();
        private final InputRing ring = new InputRing(CAPACITY, clock);
        private final InputSampler sampler = new InputSampler(ring);
        private long sampledNanos = clock.nanoTime();

        @Override
        boolean offer(long timeNanos, int code, float x, float y) {
            return ring.offer(timeNanos, InputKind.APPLICATION, code, x, y);
        }

        @Override
        void drain() {
            long nowNanos = clock.nanoTime();
            InputFrame frame = sampler.sample(sampledNanos, nowNanos);
            sampledNanos = nowNanos;
            int size = frame.size();
            for (int i = 0; i < size; i++) {
                InputEvent event = frame.event(i);
                take(event.timeNanos(), event.code(), event.x(), event.y());
            }
        }
    }

    /** A JCTools array queue with one object per event, for several producers and one consumer. */
    public static class Queue extends Events {

        private record TimedEvent(long timeNanos, int code, float x, float y) {}

        private final MpscVarHandleArrayQueue<TimedEvent> queue = new MpscVarHandleArrayQueue<>(CAPACITY);
        private final MessagePassingQueue.Consumer<TimedEvent> taking =
                event -> take(event.timeNanos, event.code, event.x, event.y);

        @Override
        boolean offer(long timeNanos, int code, float x, float y) {
            return queue.offer(new TimedEvent(timeNanos, code, x, y));
        }

        @Override
        void drain() {
            queue.drain(taking, CAPACITY);
        }
    }

    @Benchmark
    public long escapementOfferAndDrain(Ring events) {
        return events.offerAndDrain();
    }

    @Benchmark
    public long jctoolsOfferAndDrain(Queue events) {
        return events.offerAndDrain();
    }
}
