package dev.escapement.bench.stress.world;

import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A device that offers a numbered event whenever it is polled, until it is told to break, and counts what is done to it. */
public final class WatchedSource implements InputSource {

    private final NumberedProducer producer;
    private final AtomicLong polls = new AtomicLong();
    private final AtomicInteger closings = new AtomicInteger();

    // Volatile: set by any thread, thrown by the one that polls.
    private volatile @Nullable RuntimeException toThrow;

    /** A device whose events this producer numbers. */
    public WatchedSource(NumberedProducer producer) {
        this.producer = producer;
    }

    @Override
    public void poll(InputRing ring) {
        polls.incrementAndGet();
        RuntimeException thrown = toThrow;
        if (thrown != null) {
            throw thrown;
        }
        boolean accepted = producer.offer(NumberedProducer.Gate.to(ring));
        if (!accepted) {
            throw new IllegalStateException("a ring that is drained at every tick has no room for an event a tick");
        }
    }

    /** Lets the next poll throw this. Any thread. */
    public void breakWith(RuntimeException cause) {
        toThrow = cause;
    }

    /** How often it was polled. Any thread. */
    public long polls() {
        return polls.get();
    }

    /** How often it was closed. Any thread. */
    public int closings() {
        return closings.get();
    }

    @Override
    public void close() {
        closings.incrementAndGet();
    }
}
