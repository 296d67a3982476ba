package dev.escapement.bench.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What the bodies of a scene did, the same for all schemes.
 *
 * @param name   of the scene
 * @param hertz  ticks a second
 * @param bodies how many
 * @param marked whether a scheme has to send the mark of each body too
 * @param ticks  of each tick and body {@link #FLOATS} floats: x, y (up), z, qx, qy, qz, qw, and the mark, 0 or 1
 */
record Trace(String name, int hertz, int bodies, boolean marked, List<float[]> ticks) {

    static final int FLOATS = 8;
    static final int MARK = 7;

    Trace(String name, int hertz, int bodies, boolean marked) {
        this(name, hertz, bodies, marked, new ArrayList<>());
    }

    /** Bodies that fly and turn without a collision, at a speed that changes a little in each tick. */
    static Trace free(int bodies, int ticks) {
        Trace trace = new Trace("free", 100, bodies, false);
        SplittableRandom random = new SplittableRandom(bodies);
        double[] at = random.doubles(4L * bodies, 0, 50).toArray(); // a place and an angle
        double[] speed = random.doubles(4L * bodies, -0.02, 0.02).toArray();
        for (int tick = 0; tick < ticks; tick++) {
            float[] poses = trace.addTick();
            for (int i = 0; i < at.length; i++) {
                speed[i] += random.nextDouble(-0.001, 0.001);
                at[i] += speed[i];
            }
            for (int i = 0; i < at.length; i += 4) {
                double sine = Math.sin(at[i + 3]);
                set(poses, i / 4, at[i], at[i + 1], at[i + 2], 0.6 * sine, 0.8 * sine, 0, Math.cos(at[i + 3]));
            }
        }
        return trace;
    }

    float[] addTick() {
        float[] poses = new float[bodies * FLOATS];
        ticks.add(poses);
        return poses;
    }

    static void set(float[] poses, int body, double... pose) {
        for (int i = 0; i < pose.length; i++) {
            poses[body * FLOATS + i] = (float) pose[i];
        }
    }
}
