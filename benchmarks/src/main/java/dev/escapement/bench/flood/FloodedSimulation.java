package dev.escapement.bench.flood;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;

/**
 * Nothing to simulate: its steps check their input.
 *
 * @param check       what checks it
 * @param errsByNanos by how much the check is told a later due time than the tick has; 0 but where that fault is planted
 */
record FloodedSimulation(InputCheck check, long errsByNanos) implements Simulation {

    @Override
    public void step(Tick tick) {
        check.check(tick.input(), tick.dueNanos() + errsByNanos);
    }

    @Override
    public void capture(PoseWriter poses) {
        poses.bodyCount(0);
    }
}
