package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;
import java.util.concurrent.atomic.AtomicInteger;

/** A device that offers a numbered event whenever it is polled, and counts how often it was closed. States {@link Promise#CLOSED_ONCE}. */
class WatchedSource implements InputSource {

    private final NumberedProducer producer;
    private final AtomicInteger closings = new AtomicInteger();

    WatchedSource(NumberedProducer producer) {
        this.producer = producer;
    }

    @Override
    public void poll(InputRing ring) {
        offer(ring);
    }

    /** Offers the next event, and tells whether it was accepted. */
    final boolean offer(InputRing ring) {
        return producer.offer(NumberedProducer.Gate.to(ring));
    }

    @Override
    public void close() {
        closings.incrementAndGet();
    }

    /** Checks that it was closed, once, or is by a thread that comes back now. After the service was closed. */
    final void checkEnd(Trial trial) {
        Polling.await(() -> closings.get() > 0);
        int once = trial.isPlanted(Promise.CLOSED_ONCE) ? 2 : 1;
        trial.check(Promise.CLOSED_ONCE)
                .that(closings.get() == once, () -> "a source of input was closed " + closings + " times");
    }
}
