package dev.escapement.bench;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.world.ForwardingSimulation;

/** Springs to which something happens after the step of one tick: no log knows why. */
public final class MeddledSprings extends ForwardingSimulation {

    private final long meddledTick;
    private final Runnable meddling;

    /** Lets it happen once. */
    public MeddledSprings(SpringSimulation springs, long meddledTick, Runnable meddling) {
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
