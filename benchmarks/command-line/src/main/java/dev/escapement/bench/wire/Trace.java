package dev.escapement.bench.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What the bodies of a scene did, the same for all schemes: as it was, and quantised, as Glenn Fiedler's and Fabian Giesen's schemes see it.
 */
final class Trace {

    /** Of each tick and body so many floats: x, y (up), z, qx, qy, qz, qw, and the mark, 0 or 1; and as many integers. */
    static final int NUMBERS = 8;

    /** Where a body has its mark. */
    static final int MARK = 7;

    // Of a quantised body: the largest component of its quaternion, the other three in 9 bits each, and its position in
    // 512 units a metre with z up.
    static final int LARGEST = 0;
    static final int ROTATION = 1;
    static final int POSITION = 4;

    static final int UNITS_A_METRE = 512;

    /** By how much a quantised coordinate may be off. */
    static final double MAX_POSITION_ERROR = 0.5 / UNITS_A_METRE;

    /** By what angle a quantised rotation may be off: three components by half a step, the fourth by what follows from that. */
    static final double MAX_ROTATION_ERROR = Math.sqrt(12) * Math.sqrt(2) / 511;

    private static final double ROOT_HALF = 1 / 1.414214;

    final String name;
    final int hertz;
    final int bodies;

    /** Whether a scheme has to send the mark of each body too. */
    final boolean marked;

    final List<float[]> ticks = new ArrayList<>();
    private final List<int[]> quantised = new ArrayList<>();
    private final List<Integer> moved = new ArrayList<>();

    Trace(String name, int hertz, int bodies, boolean marked) {
        this.name = name;
        this.hertz = hertz;
        this.bodies = bodies;
        this.marked = marked;
    }

    /** Bodies that fly and turn without a collision, at a speed that changes a little in each tick. */
    static Trace free(int bodies, int ticks) {
        Trace trace = new Trace("free", 100, bodies, false);
        SplittableRandom random = new SplittableRandom(bodies);
        double[] at = random.doubles(4L * bodies, 0, 50).toArray(); // a place and an angle
        double[] speed = random.doubles(4L * bodies, -0.02, 0.02).toArray();
        for (int tick = 0; tick < ticks; tick++) {
            float[] poses = trace.newTick();
            for (int i = 0; i < at.length; i++) {
                speed[i] += random.nextDouble(-0.001, 0.001);
                at[i] += speed[i];
            }
            for (int i = 0; i < at.length; i += 4) {
                double sine = Math.sin(at[i + 3]);
                set(poses, i / 4, at[i], at[i + 1], at[i + 2], 0.6 * sine, 0.8 * sine, 0, Math.cos(at[i + 3]));
            }
            trace.add(poses);
        }
        return trace;
    }

    float[] newTick() {
        return new float[bodies * NUMBERS];
    }

    static void set(float[] poses, int body, double... pose) {
        for (int i = 0; i < pose.length; i++) {
            poses[body * NUMBERS + i] = (float) pose[i];
        }
    }

    void add(float[] poses) {
        int tick = ticks.size();
        ticks.add(poses);
        quantised.add(new int[poses.length]);
        int movedNow = 0;
        for (int body = 0; body < bodies; body++) {
            quantise(poses, quantised.get(tick), body * NUMBERS);
            movedNow += tick > 0 && hasMoved(tick, tick - 1, body) ? 1 : 0;
        }
        moved.add(movedNow);
    }

    private static void quantise(float[] pose, int[] to, int at) {
        float[] position = {pose[at], -pose[at + 2], pose[at + 1]};
        float[] rotation = {pose[at + 3], -pose[at + 5], pose[at + 4], pose[at + 6]};
        int largest = 0;
        for (int i = 1; i < 4; i++) {
            largest = Math.abs(rotation[i]) > Math.abs(rotation[largest]) ? i : largest;
        }
        to[at + LARGEST] = largest;
        to[at + MARK] = (int) pose[at + MARK];
        for (int i = 0; i < 3; i++) {
            double component = Math.copySign(1, rotation[largest]) * rotation[axis(i, largest)];
            to[at + ROTATION + i] = (int) Math.floor((component + ROOT_HALF) / (2 * ROOT_HALF) * 511 + 0.5);
            to[at + POSITION + i] = (int) Math.floor(position[i] * (double) UNITS_A_METRE + 0.5);
        }
    }

    /** The component that is the n-th of the three. */
    static int axis(int n, int largest) {
        return n < largest ? n : n + 1;
    }

    /** One of a body's quantised numbers at a tick. */
    int at(int tick, int body, int number) {
        return quantised.get(tick)[body * NUMBERS + number];
    }

    /** How much a number differs from that at an earlier tick; 0 if that is negative: nothing is known of it. */
    int change(int tick, int earlier, int body, int number) {
        return earlier < 0 ? 0 : at(tick, body, number) - at(earlier, body, number);
    }

    /** Whether a body's quantised position or rotation differs. */
    boolean hasMoved(int tick, int earlier, int body) {
        int at = body * NUMBERS;
        return !Arrays.equals(quantised.get(tick), at, at + MARK, quantised.get(earlier), at, at + MARK);
    }

    /** How many bodies have moved since the tick before. */
    int moved(int tick) {
        return moved.get(tick);
    }
}
