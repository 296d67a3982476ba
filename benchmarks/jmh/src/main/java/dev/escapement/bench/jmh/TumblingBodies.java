package dev.escapement.bench.jmh;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.time.TickRate;
import java.util.SplittableRandom;
import org.joml.Quaterniond;
import org.joml.Vector3d;

/** Bodies that fall and tumble from random positions, with random rotations and axes, up to 10 m/s and 10 rad/s. */
final class TumblingBodies implements Capture.Source {

    static final TickRate RATE = TickRate.hertz(100);

    private static final double FARTHEST_METRES = 10;
    private static final double FASTEST_METRES_A_SECOND = 10;
    private static final double FASTEST_RADIANS_A_SECOND = 10;
    private static final double GRAVITY = 9.81;

    private final int bodies;
    private final float[] positions;
    private final float[] rotations;
    private long ticksCaptured;

    TumblingBodies(int bodies) {
        this.bodies = bodies;
        positions = new float[3 * bodies];
        rotations = new float[4 * bodies];
    }

    /** Writes all bodies in their next tick; the first call writes tick 1. */
    @Override
    public void capture(PoseWriter poses) {
        fill(++ticksCaptured, positions, rotations);
        poses.bodyCount(bodies);
        poses.setAll(0, bodies, positions, rotations);
    }

    /** Fills arrays with the poses of a tick, three floats per position and four per rotation. */
    void fill(long tick, float[] positions, float[] rotations) {
        double seconds = tick * RATE.dtSeconds();
        for (int body = 0; body < bodies; body++) {
            SplittableRandom random = new SplittableRandom(body);
            Vector3d position = vector(random, FARTHEST_METRES)
                    .fma(seconds, vector(random, FASTEST_METRES_A_SECOND / Math.sqrt(3)))
                    .sub(0, 0.5 * GRAVITY * seconds * seconds, 0);
            // Computed in double and rounded to float once. The quaternions then have length 1 up to rounding, and the
            // writer need not normalize them.
            Vector3d first = vector(random, Math.PI);
            Vector3d axis = vector(random, 1).normalize();
            double turned = random.nextDouble(FASTEST_RADIANS_A_SECOND) * seconds;
            Quaterniond rotation = new Quaterniond()
                    .rotationAxis(turned, axis.x, axis.y, axis.z)
                    .rotateXYZ(first.x, first.y, first.z);
            put(positions, 3 * body, position.x, position.y, position.z);
            put(rotations, 4 * body, rotation.x, rotation.y, rotation.z, rotation.w);
        }
    }

    private static Vector3d vector(SplittableRandom random, double max) {
        return new Vector3d(random.nextDouble(-max, max), random.nextDouble(-max, max), random.nextDouble(-max, max));
    }

    private static void put(float[] to, int at, double... values) {
        for (int i = 0; i < values.length; i++) {
            to[at + i] = (float) values[i];
        }
    }
}
