package dev.escapement.bench.stress;

import dev.escapement.bench.stress.FaultPlan.Act;
import dev.escapement.bench.stress.FaultPlan.Site;
import dev.escapement.bench.stress.FaultPlan.Strike;
import java.util.Collections;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Counts the calls of each site, and performs the faults of a plan in them. Any thread.
 *
 * <p>Calls of a thread that came back from a hang are neither counted nor struck, because the return itself is the fault under test.
 */
final class FaultSites {

    private final FaultPlan plan;
    private final Map<Site, AtomicInteger> calls = new EnumMap<>(Site.class);
    private final AtomicInteger struck = new AtomicInteger();
    private final AtomicInteger fatal = new AtomicInteger();
    private final Map<Thread, Site> hung = new ConcurrentHashMap<>();
    private final Set<Thread> released = ConcurrentHashMap.newKeySet();
    private final Map<Throwable, Site> thrown = Collections.synchronizedMap(new IdentityHashMap<>());
    private volatile boolean calm;

    // Volatile: replaced between two services, while no thread uses the old one. The threads of the new service must
    // see the new handler.
    private volatile Consumer<Act> others = act -> {};

    FaultSites(FaultPlan plan) {
        this.plan = plan;
        for (Site site : Site.values()) {
            calls.put(site, new AtomicInteger());
        }
    }

    /** Sets the handler for faults that act on the running service, such as closing it. */
    void others(Consumer<Act> newOthers) {
        others = newOthers;
    }

    void at(Site site) {
        if ((calm && !site.isEnd()) || cameBack()) {
            return;
        }
        int call = calls.getOrDefault(site, struck).incrementAndGet();
        for (Strike strike : plan.strikes()) {
            if (strike.site() == site && strike.moment() == call && !cameBack()) {
                strike(strike);
            }
        }
    }

    private void strike(Strike strike) {
        struck.incrementAndGet();
        Site site = strike.site();
        switch (strike.act()) {
            case THROW -> throw plant(site, new IllegalArgumentException("planted: " + strike));
            case EXHAUST -> throw plant(site, new OutOfMemoryError("planted: " + strike));
            case INTERRUPT -> Thread.currentThread().interrupt();
            case HANG -> hang(site);
            default -> others.accept(strike.act());
        }
    }

    private <T extends Throwable> T plant(Site site, T what) {
        thrown.put(what, site);
        fatal.addAndGet(site.fails && !site.isEnd() ? 1 : 0);
        return what;
    }

    private void hang(Site site) {
        Thread self = Thread.currentThread();
        hung.put(self, site);
        fatal.addAndGet(site.isOfPhysicsThread() && !site.isEnd() ? 1 : 0);
        Polling.await(() -> released.contains(self) || (calm && !site.isOfPhysicsThread()));
    }

    boolean haveHung(Site site) {
        return hung.containsValue(site);
    }

    void release() {
        released.addAll(hung.keySet());
    }

    /** From now on, lets faults strike only in calls at the end of a world or device. */
    void calm() {
        calm = true;
    }

    boolean cameBack() {
        return hung.containsKey(Thread.currentThread());
    }

    /** The number of strikes so far that must make a running service fail. */
    int fatal() {
        return fatal.get();
    }

    boolean allStruck() {
        return struck.get() == plan.strikes().size();
    }

    boolean isPlanted(Throwable what) {
        return thrown.containsKey(what);
    }

    /** Whether {@code what} was thrown on purpose, at a site where this must make the service fail. */
    boolean isFatal(Throwable what) {
        Site site = thrown.get(what);
        return site != null && site.fails;
    }
}
