package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.scenario.Fault.Site;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;

/** A device that offers a numbered event whenever it is polled, at whose every call a fault may strike. */
final class FaultySource implements InputSource {

    private final FaultSites sites;
    private final NumberedProducer producer;

    final Closings closings = new Closings();

    // Volatile: set by any thread, read by the one that polls; nothing else is ordered by it.
    private volatile boolean silent;

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
        closings.add();
        sites.at(Site.DEVICE_END);
    }
}
