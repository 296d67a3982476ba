package example;

import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import java.util.Arrays;

/** Pendulums side by side, each a little longer than the one to its left. */
public final class Pendulums implements Simulation {

    private static final double GRAVITY = 9.81;
    private static final double SHORTEST_METRES = 1;
    private static final double LONGER_METRES = 0.05;

    private final double[] angle;
    private final double[] angularVelocity;

    /** Creates {@code bodies} pendulums, all lifted to the same angle. */
    public Pendulums(int bodies) {
        angle = new double[bodies];
        angularVelocity = new double[bodies];
        Arrays.fill(angle, 0.5);
    }

    @Override
    public void step(Tick tick) {
        for (int body = 0; body < angle.length; body++) {
            angularVelocity[body] -= GRAVITY / length(body) * Math.sin(angle[body]) * tick.dtSeconds();
            angle[body] += angularVelocity[body] * tick.dtSeconds();
        }
    }

    @Override
    public void capture(PoseWriter poses) {
        poses.bodyCount(angle.length);
        for (int body = 0; body < angle.length; body++) {
            double length = length(body);
            poses.set(
                    body,
                    body,
                    (float) (length - length * Math.cos(angle[body])),
                    (float) (length * Math.sin(angle[body])),
                    0,
                    0,
                    0,
                    1);
        }
    }

    private static double length(int body) {
        return SHORTEST_METRES + LONGER_METRES * body;
    }
}
