package dev.escapement.bench.stress.fault;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.CommandLedger;
import dev.escapement.bench.stress.world.InputLedger;
import dev.escapement.bench.stress.world.Promises;
import java.util.Set;

/** A service in which two faults strike, drawn from a seed. Takes its own time, not the time it is given. */
public final class FaultPair implements Scenario {

    private static final int PAIR = 2;

    private final FaultPlan<Fault> plan;

    private FaultPair(FaultPlan<Fault> plan) {
        this.plan = plan;
    }

    /** The pair of a seed. */
    public static FaultPair of(long seed) {
        return new FaultPair(FaultPlan.draw(seed, PAIR, Fault.all(), fault -> fault.site().lastMoment));
    }

    @Override
    public String name() {
        return "fault-pair";
    }

    /** Tells the seed, the faults and their moments. */
    @Override
    public String says() {
        return plan.toString();
    }

    @Override
    public Set<Promise> promises() {
        Set<Promise> promises = Promises.ofReaders(
                Promise.TICKS_GO_ON,
                Promise.CAUSE_TOLD,
                Promise.CLOSED_ONCE,
                Promise.THREADS_END,
                Promise.LIFECYCLE_TOLD,
                Promise.READERS_COME_BACK,
                Promise.ENDS_IN_TIME,
                Promise.ABANDONED_UNHEARD);
        promises.addAll(CommandLedger.PROMISES);
        promises.addAll(InputLedger.PROMISES);
        return promises;
    }

    @Override
    public void run(Trial trial) {
        new PairRun(trial, plan).run();
    }
}
