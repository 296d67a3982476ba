package dev.escapement.bench.stress.fault;

import dev.escapement.bench.stress.fault.Fault.Site;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.NumberedProducer;
import dev.escapement.bench.stress.world.Polling;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;
import java.util.concurrent.atomic.AtomicInteger;

/** A device that offers a numbered event whenever it is polled, and at whose every call a fault may strike. */
final class FaultySource implements InputSource {

    private final FaultSites sites;
    private final NumberedProducer producer;
    private final AtomicInteger closings = new AtomicInteger();

    // Volatile: set by any thread, read by the one that polls; nothing else is ordered by it.
    private volatile boolean silent;

    /** A device whose events this producer numbers. */
    FaultySource(FaultSites sites, NumberedProducer producer) {
        this.sites = sites;
        this.producer = producer;
    }

    /** Whether an event is of a device that was abandoned when it offered. */
    static boolean isAbandoned(InputKind kind) {
        return kind == InputKind.KEY_DOWN;
    }

    @Override
    public void poll(InputRing ring) {
        sites.at(Site.POLL);
        if (sites.cameBack()) {
            ring.offer(System.nanoTime(), InputKind.KEY_DOWN, 1, 0, 0);
        } else if (!silent) {
            producer.offer(NumberedProducer.Gate.to(ring));
        }
    }

    /** Offers nothing any more. */
    void fallSilent() {
        silent = true;
    }

    @Override
    public void close() {
        closings.incrementAndGet();
        sites.at(Site.DEVICE_END);
    }

    /** Checks that it was closed, once, or is by a thread that comes back now. After the service was closed. */
    void checkEnd(Trial trial) {
        Polling.await(() -> closings.get() > 0);
        trial.check(Promise.CLOSED_ONCE).that(closings.get() == 1, () -> "a device was closed " + closings + " times");
    }
}
