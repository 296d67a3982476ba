package dev.escapement.bench.stress.world;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;

/** A world that knows nothing but its tick: all else follows from it, so that whoever sees a snapshot knows what it has to say. */
abstract class ModelledWorld implements Simulation, Expectation {

    private long tick;

    @Override
    public final void step(Tick next) {
        tick = next.number();
    }

    @Override
    public final void capture(PoseWriter poses) {
        capture(tick, poses);
    }

    /** Writes what the tick led to. */
    abstract void capture(long now, PoseWriter poses);
}
