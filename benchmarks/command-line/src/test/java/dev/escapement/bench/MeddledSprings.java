package dev.escapement.bench;

import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;

/** Springs whose state changes once outside of a step, so that a replay of the log, which cannot contain the change, diverges. */
public final class MeddledSprings extends ForwardingSimulation {

    private final long meddledTick;
    private final Runnable meddling;

    public MeddledSprings(Simulation springs, long meddledTick, Runnable meddling) {
        super(springs);
        this.meddledTick = meddledTick;
        this.meddling = meddling;
    }

    @Override
    public void step(Tick tick) throws Exception {
        super.step(tick);
        if (tick.number() == meddledTick) {
            meddling.run();
        }
    }
}
