package dev.escapement.bench.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What the bodies of a scene did, and how many of them moved. */
final class Trace {

    /** Of each tick and body so many floats: x, y (up), z, qx, qy, qz, qw, and the mark, 0 or 1. */
    static final int NUMBERS = 8;

    /** Where a body has its mark. */
    static final int MARK = 7;

    /** A body has moved where its position differs in such units, or its rotation in steps of 9 bits. */
    private static final int UNITS_A_METRE = 512;

    private static final int ROTATION_STEPS = 511;

    /** What a rotation of 9 bits may be off: three components by half a step, the fourth by what follows from that. */
    static final double MAX_ROTATION_ERROR = Math.sqrt(12) * Math.sqrt(2) / ROTATION_STEPS;

    private static final double ROOT_HALF = 1 / 1.414214;

    final String name;
    final int hertz;
    final int bodies;

    /** Whether the mark of each body is to be sent too. */
    final boolean marked;

    final List<float[]> ticks = new ArrayList<>();
    private final List<Integer> moved = new ArrayList<>();

    /** By body, of the newest tick. */
    private final int[][] rounded;

    Trace(String name, int hertz, int bodies, boolean marked) {
        this.name = name;
        this.hertz = hertz;
        this.bodies = bodies;
        this.marked = marked;
        rounded = new int[bodies][];
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
        int movedNow = 0;
        for (int body = 0; body < bodies; body++) {
            int[] now = rounded(poses, body * NUMBERS);
            movedNow += ticks.isEmpty() || Arrays.equals(now, rounded[body]) ? 0 : 1;
            rounded[body] = now;
        }
        ticks.add(poses);
        moved.add(movedNow);
    }

    /** A position, which of a rotation's components is the largest, and the other three. */
    private static int[] rounded(float[] poses, int at) {
        int[] rounded = new int[7];
        int largest = 3;
        for (int i = 3; i < 7; i++) {
            largest = Math.abs(poses[at + i]) > Math.abs(poses[at + largest]) ? i : largest;
        }
        for (int i = 0; i < 7; i++) {
            double component = Math.copySign(1, poses[at + largest]) * poses[at + i];
            double units = i < 3
                    ? poses[at + i] * (double) UNITS_A_METRE
                    : (component + ROOT_HALF) / (2 * ROOT_HALF) * ROTATION_STEPS;
            rounded[i] = i == largest ? -1 : (int) Math.floor(units + 0.5);
        }
        return rounded;
    }

    /** How many bodies have moved since the tick before. */
    int moved(int tick) {
        return moved.get(tick);
    }
}
