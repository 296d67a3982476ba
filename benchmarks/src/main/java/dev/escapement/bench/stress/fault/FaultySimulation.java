package dev.escapement.bench.stress.fault;

import dev.escapement.bench.measure.Check;
import dev.escapement.bench.stress.fault.Fault.Site;
import dev.escapement.bench.stress.world.InputLedger;
import dev.escapement.bench.stress.world.PredictableWorld;
import dev.escapement.bench.stress.world.WatchedSimulation;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.input.InputFrame;
import java.util.concurrent.atomic.AtomicLong;

/** A predictable world in whose every call a fault may strike, last: what it has done until then counts. */
final class FaultySimulation implements Simulation {

    static final int BODIES = 8;

    /** Of the service: after so many ticks of a simulation there is a window. */
    static final int WINDOW_SIZE = 3;

    private final WatchedSimulation world = new WatchedSimulation(new PredictableWorld(BODIES));
    private final Check unheard;
    private final FaultSites sites;
    private final InputLedger ledger;

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
        this.unheard = unheard;
        this.sites = sites;
        this.ledger = ledger;
        this.published = published;
    }

    /** What is known of its end. */
    WatchedSimulation watched() {
        return world;
    }

    @Override
    public void begin() throws Exception {
        world.begin();
        sites.at(Site.BEGIN);
    }

    @Override
    public void step(Tick tick) throws Exception {
        if (++ticks > WINDOW_SIZE) {
            published.accumulateAndGet(tick.number() - 1, Math::max);
        }
        listen(tick);
        world.step(tick);
        sites.at(Site.STEP);
    }

    private void listen(Tick tick) {
        ledger.arrive(tick);
        InputFrame input = tick.input();
        for (int i = 0; i < input.size(); i++) {
            boolean abandoned = FaultySource.isAbandoned(input.event(i).kind());
            unheard.that(!abandoned, () -> "a device that was abandoned in its poll is heard when it comes back");
        }
    }

    @Override
    public void capture(PoseWriter poses) throws Exception {
        world.capture(poses);
        sites.at(Site.CAPTURE);
    }

    @Override
    public void events(EventWriter events) throws Exception {
        events.contactBegan(0, 1, 0, 0, 0, 0, 1, 0);
        sites.at(Site.EVENTS);
    }

    @Override
    public void close() {
        world.close();
        sites.at(Site.END);
    }
}
