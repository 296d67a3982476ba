package dev.escapement.bench.stress.fault;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.world.CheckingReader;
import dev.escapement.bench.stress.world.CommandLedger;
import dev.escapement.bench.stress.world.InputLedger;
import java.util.Collections;
import java.util.Set;

/** A service in which two faults strike, drawn from a seed. Takes its own time, not the time it is given. */
public final class FaultPair {

    /** What it checks. */
    public static final Set<Promise> PROMISES = promises();

    private static final int PAIR = 2;

    private FaultPair() {}

    /** The pair of a seed; its line tells the seed, the faults and their moments. */
    public static Scenario scenario(long seed) {
        FaultPlan<Fault> plan = FaultPlan.draw(seed, PAIR, Fault.all(), fault -> fault.site().lastMoment);
        return new Scenario("fault-pair", plan.toString(), PROMISES, trial -> new PairRun(trial, plan).run());
    }

    private static Set<Promise> promises() {
        Set<Promise> promises = CheckingReader.promises(
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
        return Collections.unmodifiableSet(promises);
    }
}
