package dev.escapement.bench.jmh;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.time.TickRate;
import java.util.SplittableRandom;
import org.joml.Quaterniond;
import org.joml.Quaternionf;
import org.joml.Vector3d;
import org.joml.Vector3f;

/** Bodies that fall and tumble: random places, orientations and axes, up to 10 m/s and 10 rad/s. */
final class TumblingBodies implements Capture.Source {

    static final TickRate RATE = TickRate.hertz(100);

    private static final double FARTHEST_METRES = 10;
    private static final double FASTEST_METRES_A_SECOND = 10;
    private static final double FASTEST_RADIANS_A_SECOND = 10;
    private static final double GRAVITY = 9.81;

    private final int bodies;
    private final Vector3f position = new Vector3f();
    private final Quaternionf rotation = new Quaternionf();
    private final float[] positions;
    private final float[] rotations;
    private long ticksCaptured;

    TumblingBodies(int bodies) {
        this.bodies = bodies;
        positions = new float[3 * bodies];
        rotations = new float[4 * bodies];
    }

    /** Writes all bodies at the next tick, 1 for the first. */
    @Override
    public void capture(PoseWriter poses) {
        fill(++ticksCaptured, positions, rotations);
        poses.bodyCount(bodies);
        poses.setAll(0, bodies, positions, rotations);
    }

    /** Fills arrays of three and of four floats a body with the poses of a tick. */
    void fill(long tick, float[] positions, float[] rotations) {
        for (int body = 0; body < bodies; body++) {
            computePose(body, tick);
            positions[3 * body] = position.x;
            positions[3 * body + 1] = position.y;
            positions[3 * body + 2] = position.z;
            rotations[4 * body] = rotation.x;
            rotations[4 * body + 1] = rotation.y;
            rotations[4 * body + 2] = rotation.z;
            rotations[4 * body + 3] = rotation.w;
        }
    }

    private void computePose(int body, long tick) {
        SplittableRandom random = new SplittableRandom(body);
        double seconds = tick * RATE.dtSeconds();
        Vector3d start = randomVector(random, FARTHEST_METRES);
        Vector3d velocity = randomVector(random, FASTEST_METRES_A_SECOND / Math.sqrt(3));
        position.set(start.fma(seconds, velocity).sub(0, 0.5 * GRAVITY * seconds * seconds, 0));

        Quaterniond orientation = randomRotation(random);
        Vector3d axis = randomVector(random, 1).normalize();
        double turned = random.nextDouble(FASTEST_RADIANS_A_SECOND) * seconds;
        // In double and rounded once: a unit quaternion to the last bit, which the writer need not normalise.
        rotation.set(
                new Quaterniond().rotationAxis(turned, axis.x, axis.y, axis.z).mul(orientation));
    }

    private static Vector3d randomVector(SplittableRandom random, double most) {
        return new Vector3d(
                random.nextDouble(-most, most), random.nextDouble(-most, most), random.nextDouble(-most, most));
    }

    private static Quaterniond randomRotation(SplittableRandom random) {
        return new Quaterniond(
                        random.nextDouble(-1, 1),
                        random.nextDouble(-1, 1),
                        random.nextDouble(-1, 1),
                        random.nextDouble(-1, 1))
                .normalize();
    }
}
