package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.scenario.Fault.Site;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;

/** A watched device at whose every call a fault may strike. */
final class FaultySource extends WatchedSource {

    private final FaultSites sites;

    // Volatile: set by any thread, read by the one that polls; nothing else is ordered by it.
    private volatile boolean silent;

    FaultySource(FaultSites sites, NumberedProducer producer) {
        super(producer);
        this.sites = sites;
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
            offer(ring);
        }
    }

    /** Offers nothing any more. */
    void fallSilent() {
        silent = true;
    }

    @Override
    public void close() {
        super.close();
        sites.at(Site.DEVICE_END);
    }
}
