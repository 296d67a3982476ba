package dev.escapement.bench.input;

import java.util.concurrent.atomic.AtomicLong;
import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.varhandle.MpscVarHandleArrayQueue;

/** A JCTools array queue for several producers and one consumer, of an object per event, in the order of arrival. */
final class JctoolsInput implements InputQueue {

    private final MpscVarHandleArrayQueue<TimedEvent> queue;
    private final MessagePassingQueue.Consumer<TimedEvent> toSink;

    // Counts, and orders nothing else.
    private final AtomicLong refused = new AtomicLong();

    JctoolsInput(int capacity, InputSink sink) {
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
