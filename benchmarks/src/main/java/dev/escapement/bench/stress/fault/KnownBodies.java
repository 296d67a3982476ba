package dev.escapement.bench.stress.fault;

import dev.escapement.bench.measure.Check;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.EventVisitor;
import dev.escapement.state.snapshot.BodyId;
import java.util.HashSet;
import java.util.Set;

/** The bodies that there are as events tell it. States {@link Promise#LIFECYCLE_TOLD}. One thread at a time. */
final class KnownBodies implements EventVisitor {

    private final Check told;
    private final FaultSites sites;
    private final Set<Long> bodies = new HashSet<>();
    private boolean missed;

    KnownBodies(Trial trial, FaultSites sites) {
        told = trial.check(Promise.LIFECYCLE_TOLD);
        this.sites = sites;
    }

    @Override
    public void event(BodyEvent event) {
        long id = event.body();
        switch (event.kind()) {
            case SPAWNED -> tell(bodies.add(id), id, "came twice");
            case DESPAWNED -> tell(bodies.remove(id), id, "went and had not come");
            case GAP -> missed = true;
            default -> {
                // contacts
            }
        }
        sites.at(Site.VISIT); // what it was told counts, also if it throws
    }

    private void tell(boolean right, long id, String what) {
        told.that(right || isForgiven(), () -> BodyId.toString(id) + " " + what);
    }

    /** Whether something was missed, and said so: counted, or by a service whose thread was abandoned where it tells events. */
    boolean isForgiven() {
        return missed || sites.haveHung(Site.EVENTS);
    }

    /** How many there are. */
    int count() {
        return bodies.size();
    }
}
