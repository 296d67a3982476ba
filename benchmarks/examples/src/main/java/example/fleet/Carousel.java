package example.fleet;

import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;

/** A world in which all bodies move. The x of the first one is the instant at which the tick was due, so a picture shows its age. */
final class Carousel implements Simulation {

    private static final double NANOS_PER_METRE = 10_000_000;

    /** A longer time cannot be distinguished from a shorter one. */
    private static final double MAX_METRES = 100_000;

    private static final double RADIANS_PER_SECOND = 2;

    private final int bodies;
    private double seconds;
    private double due;
    private boolean begunAgain;

    Carousel(int bodies) {
        this.bodies = bodies;
    }

    private static double metres(long nanos) {
        return nanos % (long) (MAX_METRES * NANOS_PER_METRE) / NANOS_PER_METRE;
    }

    /** The age of a picture, from the place of the first body. */
    static double ageMillis(double x, long nowNanos) {
        double metres = metres(nowNanos) - x;
        return (metres < -MAX_METRES / 2 ? metres + MAX_METRES : metres) * NANOS_PER_METRE / 1e6;
    }

    @Override
    public void step(Tick tick) {
        double before = due;
        due = metres(tick.dueNanos());
        begunAgain = due < before;
        seconds += tick.dtSeconds();
    }

    @Override
    public void capture(PoseWriter poses) {
        poses.bodyCount(bodies);
        poses.set(0, (float) due, 0, 0, 0, 0, 0, 1);
        if (begunAgain) {
            poses.teleport(0);
        }
        for (int body = 1; body < bodies; body++) {
            double angle = RADIANS_PER_SECOND * seconds + body;
            double radius = 1 + body % 20;
            float x = (float) (radius * Math.cos(angle));
            float z = (float) (radius * Math.sin(angle));
            poses.set(body, x, 1, z, 0, (float) -Math.sin(angle / 2), 0, (float) Math.cos(angle / 2));
        }
    }
}
