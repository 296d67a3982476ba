package dev.escapement.bench.input;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The JDK's linked queue, of an object per event, in the order of arrival. It has no bound of its own and takes its whole length to
 * count, so a counter beside it bounds it.
 */
final class LinkedQueueInput implements InputQueue {

    private final int capacity;
    private final Queue<TimedEvent> queue = new ConcurrentLinkedQueue<>();
    private final InputSink sink;

    // Both count, and order nothing else: events are passed on by the queue. Places are taken before events are added
    // and given back after they are removed, so the queue is never longer than this says.
    private final AtomicInteger takenPlaces = new AtomicInteger();
    private final AtomicLong refused = new AtomicLong();

    LinkedQueueInput(int capacity, InputSink sink) {
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
