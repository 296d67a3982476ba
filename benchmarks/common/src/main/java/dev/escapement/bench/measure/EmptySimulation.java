package dev.escapement.bench.measure;

import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;

/** A simulation without bodies, to measure the service alone. */
public final class EmptySimulation implements Simulation {

    @Override
    public void step(Tick tick) {}

    @Override
    public void capture(PoseWriter poses) {
        poses.bodyCount(0);
    }
}
