package dev.escapement.bench.view;

import dev.escapement.bench.compare.LoadProfile;
import dev.escapement.bench.compare.WorkClock;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.world.ForwardingSimulation;
import java.util.function.BooleanSupplier;

/** A simulation whose steps can be made to take as long as those of the heavy load of {@code compare}; its state is as without. */
final class SlowSteps extends ForwardingSimulation {

    private final WorkClock clock;
    private final BooleanSupplier isSlow;

    SlowSteps(Simulation simulation, WorkClock clock, BooleanSupplier isSlow) {
        super(simulation);
        this.clock = clock;
        this.isSlow = isSlow;
    }

    @Override
    public void step(Tick tick) throws Exception {
        long startedNanos = clock.nanoTime();
        super.step(tick);
        if (isSlow.getAsBoolean()) {
            long restNanos = LoadProfile.HEAVY.costNanos(tick.number()) - (clock.nanoTime() - startedNanos);
            clock.spend(Math.max(0, restNanos));
        }
    }
}
