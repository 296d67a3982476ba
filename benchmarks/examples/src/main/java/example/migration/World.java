package example.migration;

import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;

/** The game's own world: one body that falls. */
final class World {

    private static final double GRAVITY = 9.81;

    double y = 100;
    private double vy;

    void step(double dtSeconds) {
        vy -= GRAVITY * dtSeconds;
        y += vy * dtSeconds;
    }

    Simulation asSimulation() {
        return new Simulation() {
            @Override
            public void step(Tick tick) {
                World.this.step(tick.dtSeconds());
            }

            @Override
            public void capture(PoseWriter poses) {
                poses.bodyCount(1);
                poses.set(0, 0, (float) y, 0, 0, 0, 0, 1);
            }
        };
    }
}
