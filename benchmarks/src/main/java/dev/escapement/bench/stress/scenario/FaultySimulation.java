package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.measure.Check;
import dev.escapement.bench.stress.scenario.Fault.Site;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.input.InputFrame;
import java.util.concurrent.atomic.AtomicLong;

/** A predictable world in whose every call a fault may strike, last: what it has done until then counts. */
final class FaultySimulation extends PredictableWorld {

    static final int BODIES = 8;

    /** Of the service: after so many ticks of a simulation there is a window. */
    static final int WINDOW_SIZE = 3;

    private final Check unheard;
    private final FaultSites sites;

    // Any thread may raise it, and release or acquire by that: the tick it names was published before.
    private final AtomicLong published;

    private long ticks;

    /**
     * A simulation.
     *
     * @param unheard   checks that nothing is heard of devices that were abandoned
     * @param sites     where faults strike
     * @param ledger    where the input of each tick goes
     * @param published is raised to the newest tick whose publish is complete, where there are windows of this simulation
     */
    FaultySimulation(Check unheard, FaultSites sites, InputLedger ledger, AtomicLong published) {
        super(BODIES, ledger::arrive);
        this.unheard = unheard;
        this.sites = sites;
        this.published = published;
    }

    @Override
    public void begin() {
        sites.at(Site.BEGIN);
    }

    @Override
    public void step(Tick tick) {
        if (++ticks > WINDOW_SIZE) {
            published.accumulateAndGet(tick.number() - 1, Math::max);
        }
        InputFrame input = tick.input();
        for (int i = 0; i < input.size(); i++) {
            boolean abandoned = FaultySource.isAbandoned(input.event(i).kind());
            unheard.that(!abandoned, () -> "a device that was abandoned in its poll is heard when it comes back");
        }
        super.step(tick);
        sites.at(Site.STEP);
    }

    @Override
    void capture(long now, PoseWriter poses) {
        super.capture(now, poses);
        sites.at(Site.CAPTURE);
    }

    @Override
    public void events(EventWriter events) {
        events.contactBegan(0, 1, 0, 0, 0, 0, 1, 0);
        sites.at(Site.EVENTS);
    }

    @Override
    public void close() {
        super.close();
        sites.at(Site.END);
    }
}
