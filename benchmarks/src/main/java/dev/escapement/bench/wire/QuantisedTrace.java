package dev.escapement.bench.wire;

import java.util.Arrays;

/**
 * A trace as Glenn Fiedler's and Fabian Giesen's schemes see it: of each body the index of the quaternion's largest component, the other
 * three in 9 bits each, the position in 512 units a metre with z up, and the mark.
 */
final class QuantisedTrace {

    static final int LARGEST = 0;
    static final int ROTATION = 1;
    static final int POSITION = 4;
    static final int MARK = 7;

    static final int UNITS_A_METRE = 512;

    /** By how much a coordinate may be off. */
    static final double MAX_POSITION_ERROR = 0.5 / UNITS_A_METRE;

    /** By what angle a rotation may be off: three components by half a step, the fourth by what follows from that. */
    static final double MAX_ROTATION_ERROR = Math.sqrt(12) * Math.sqrt(2) / 511;

    private static final int INTS = 8;
    private static final double ROOT_HALF = 1 / 1.414214;

    /** What is quantised. */
    final Trace trace;

    private final int[][] ticks;
    private final int[] moved;

    QuantisedTrace(Trace trace) {
        this.trace = trace;
        ticks = new int[trace.ticks().size()][trace.bodies() * INTS];
        moved = new int[ticks.length];
        for (int tick = 0; tick < ticks.length; tick++) {
            for (int body = 0; body < trace.bodies(); body++) {
                quantise(trace.ticks().get(tick), ticks[tick], body * INTS);
                moved[tick] += tick > 0 && hasMoved(tick, tick - 1, body) ? 1 : 0;
            }
        }
    }

    /** Both arrays have as many numbers a body. */
    private static void quantise(float[] pose, int[] to, int at) {
        float[] position = {pose[at], -pose[at + 2], pose[at + 1]};
        float[] rotation = {pose[at + 3], -pose[at + 5], pose[at + 4], pose[at + 6]};
        int largest = 0;
        for (int i = 1; i < 4; i++) {
            largest = Math.abs(rotation[i]) > Math.abs(rotation[largest]) ? i : largest;
        }
        to[at + LARGEST] = largest;
        to[at + MARK] = (int) pose[at + Trace.MARK];
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

    /** One of a body's numbers at a tick. */
    int at(int tick, int body, int number) {
        return ticks[tick][body * INTS + number];
    }

    /** How much a number differs from that at an earlier tick; 0 if that is negative: nothing is known of it. */
    int change(int tick, int earlier, int body, int number) {
        return earlier < 0 ? 0 : at(tick, body, number) - at(earlier, body, number);
    }

    /** Whether a body's position or rotation differs. */
    boolean hasMoved(int tick, int earlier, int body) {
        int at = body * INTS;
        return !Arrays.equals(ticks[tick], at, at + MARK, ticks[earlier], at, at + MARK);
    }

    /** How many bodies have moved since the tick before. */
    int moved(int tick) {
        return moved[tick];
    }
}
