package dev.escapement.render.web;

import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;

/** Positions as whole units, and rotations as 32 bits. */
final class Quantised {

    /** A millimetre, less than a pixel where it matters. */
    static final float FINEST_QUANTUM = 0.001f;

    /** Positions of more units need a larger quantum: their differences would not fit an int. */
    static final int MOST_UNITS = 1 << 30;

    private static final int HALF_CODES = 511;
    private static final float CODES_PER_UNIT = (float) (HALF_CODES * Math.sqrt(2));

    /** The code of 0, which is exact, so that what stands straight is shown straight; half a code more rounds. */
    private static final float ROUNDED_MIDDLE = HALF_CODES + 1.5f;

    private static final int MOST = 1023;
    private static final int BITS = 10;

    private Quantised() {}

    /** The quantum with which all positions of a snapshot fit, and may double. */
    static float quantum(Snapshot snapshot) {
        float most = 0;
        for (int b = 0; b < snapshot.poses().blockCount(); b++) {
            PoseBlock poses = snapshot.poses().block(b);
            int[] generation = snapshot.bodyBlock(b).generation;
            for (int i = 0; i < snapshot.poses().slotsIn(b); i++) {
                if (BodyId.isLive(generation[i])) {
                    float nearer = Math.max(Math.abs(poses.px[i]), Math.abs(poses.py[i]));
                    most = Math.max(most, Math.max(nearer, Math.abs(poses.pz[i])));
                }
            }
        }
        float quantum = FINEST_QUANTUM;
        while (most / quantum > MOST_UNITS / 2) {
            quantum *= 2;
        }
        return quantum;
    }

    /** The smallest three components of a unit quaternion, 10 bits each, and which one is left out. */
    static int rotation(float x, float y, float z, float w) {
        float ax = Math.abs(x);
        float ay = Math.abs(y);
        float az = Math.abs(z);
        float aw = Math.abs(w);
        if (aw >= ax && aw >= ay && aw >= az) {
            return code(3, w, x, y, z);
        } else if (ax >= ay && ax >= az) {
            return code(0, x, y, z, w);
        }
        return ay >= az ? code(1, y, x, z, w) : code(2, z, x, y, w);
    }

    private static int code(int largest, float sign, float a, float b, float c) {
        float scale = sign < 0 ? -CODES_PER_UNIT : CODES_PER_UNIT;
        return (((largest << BITS | component(a * scale)) << BITS) | component(b * scale)) << BITS
                | component(c * scale);
    }

    private static int component(float scaled) {
        return Math.max(0, Math.min(MOST, (int) (scaled + ROUNDED_MIDDLE))); // never negative: rounds down
    }
}
