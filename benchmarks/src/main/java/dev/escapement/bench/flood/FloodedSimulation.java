package dev.escapement.bench.flood;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;

/** Nothing to simulate: its steps check their input. */
record FloodedSimulation(InputCheck check) implements Simulation {

    @Override
    public void step(Tick tick) {
        check.check(tick.input(), tick.dueNanos());
    }

    @Override
    public void capture(PoseWriter poses) {
        poses.bodyCount(0);
    }
}
