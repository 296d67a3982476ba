package dev.escapement.bench.measure;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;

/** Nothing to simulate: what ticks it is seen alone. */
public final class EmptySimulation implements Simulation {

    @Override
    public void step(Tick tick) {}

    @Override
    public void capture(PoseWriter poses) {
        poses.bodyCount(0);
    }
}
