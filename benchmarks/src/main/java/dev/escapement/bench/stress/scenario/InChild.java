package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.child.ChildTrial;
import dev.escapement.bench.stress.child.JvmDemand;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.SkippedException;
import dev.escapement.bench.stress.trial.Trial;
import java.io.IOException;
import java.util.Set;

/** A scenario that needs a JVM other than this one, and gets it. */
final class InChild implements Scenario {

    /** A scenario may wait for 30 s beyond its time, and a loaded machine needs seconds to start a JVM. */
    private static final long PATIENCE_NANOS = 90_000_000_000L;

    private final Scenario inside;
    private final JvmDemand demand;

    /**
     * Runs a scenario elsewhere.
     *
     * @param inside what runs there, under the same name
     * @param demand what the JVM has to have
     */
    InChild(Scenario inside, JvmDemand demand) {
        this.inside = inside;
        this.demand = demand;
    }

    /** What runs in the other JVM. */
    Scenario inside() {
        return inside;
    }

    @Override
    public String name() {
        return inside.name();
    }

    @Override
    public String says() {
        return inside.says();
    }

    @Override
    public Set<Promise> promises() {
        return inside.promises();
    }

    @Override
    public boolean delaysTicks() {
        return inside.delaysTicks();
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException, SkippedException {
        new ChildTrial(ChildTrialMain.class, demand, PATIENCE_NANOS).run(name(), trial);
    }
}
