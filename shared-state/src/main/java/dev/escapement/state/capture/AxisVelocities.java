package dev.escapement.state.capture;

import dev.escapement.state.snapshot.PoseBlocks;
import java.util.Arrays;

/**
 * Derives one component of the velocities at the ticks, in metres a second, from positions.
 *
 * <p>Semi-implicit Euler moves a body by v(n) from n-1 to n, so v(n) is the mean velocity over that tick and belongs half a tick earlier.
 * Adding half of its latest change extrapolates it to n: m(n) = v(n) + (v(n) - v(n-1)) / 2, which is the second-order backward difference
 * of the positions. A change several times larger than the body's usual one is a collision and not a curve, and is not extrapolated.
 */
final class AxisVelocities {

    /** A generous factor: a collision within a tick shows as two changes, and at the fastest point of a swing there is nearly no change. */
    private static final float TIMES_USUAL = 4;

    /** A change of path within a tick that is too small to be seen, in metres. */
    private static final double UNSEEN_METRES = 2.5e-4;

    private static final float UNKNOWN = Float.NaN;

    private final float ticksASecond;
    private final float unseenChange;

    /** Per block and slot: the mean velocity over the last tick, or {@link #UNKNOWN}. */
    private float[][] mean = {};

    /** Per block and slot: by how much the mean velocity usually changes from tick to tick, or {@link #UNKNOWN}. */
    private float[][] usualChange = {};

    /** Of the current block: the mean velocity over this tick. */
    private float[] measured = {};

    /** Of the current block: how far a change is beyond several times the usual one. */
    private float[] excess = {};

    // Of the current block: the bodies whose velocity does not change as usual, and what holds for them instead.
    private int[] unusual = {};
    private float[] velocities = {};
    private float[] changes = {};

    AxisVelocities(double dtSeconds) {
        ticksASecond = (float) (1 / dtSeconds);
        unseenChange = (float) (UNSEEN_METRES / dtSeconds);
    }

    /** Makes room for as much as the poses have. */
    void grow(PoseBlocks poses) {
        int blocks = poses.blockCount();
        int known = mean.length;
        int room = poses.block(0).room();
        if (room > measured.length) {
            measured = new float[room];
            excess = new float[room];
            unusual = new int[room];
            velocities = new float[room];
            changes = new float[room];
            for (int b = 0; b < known; b++) {
                mean[b] = Arrays.copyOf(mean[b], room);
                usualChange[b] = Arrays.copyOf(usualChange[b], room);
            }
        }
        if (blocks > known) {
            mean = Arrays.copyOf(mean, blocks);
            usualChange = Arrays.copyOf(usualChange, blocks);
            for (int b = known; b < blocks; b++) {
                mean[b] = new float[room];
                usualChange[b] = new float[room];
            }
        }
    }

    /** Measures the mean velocities of a block over this tick. Positions are metres, and each may have jumped in addition to its motion. */
    void measure(float[] now, float[] before, float[] jump, float shift, int n) {
        subtract(now, before, jump, shift, ticksASecond, measured, n);
    }

    /** The mean velocities over this tick, of the block that was measured last. */
    float[] measured() {
        return measured;
    }

    /** Derives the velocities at the tick of a block that was just measured. */
    void derive(int b, float[] velocity, int n) {
        float[] last = mean[b];
        float[] usual = usualChange[b];
        excess(measured, last, usual, excess, n);
        int count = 0;
        for (int i = 0; i < n; i++) {
            if (!(excess[i] <= unseenChange)) { // also if something is not known
                deriveUnusual(count++, i, measured[i], measured[i] - last[i], usual[i]);
            }
        }
        extrapolate(measured, last, velocity, n);
        decay(measured, last, usual, n);
        System.arraycopy(measured, 0, last, 0, n);
        for (int u = 0; u < count; u++) {
            velocity[unusual[u]] = velocities[u];
            usual[unusual[u]] = changes[u];
        }
    }

    private void deriveUnusual(int entry, int i, float v, float change, float usual) {
        boolean first = Float.isNaN(usual) && !Float.isNaN(change);
        unusual[entry] = i;
        velocities[entry] = first ? v + 0.5f * change : v;
        // If larger changes continue, they soon count as usual.
        changes[entry] = first ? Math.abs(change) : 2 * usual + unseenChange;
    }

    /** A body rests, or, if it moved, its motion was broken: what it did before says nothing. */
    void stop(int b, int i, boolean moved, float[] velocity) {
        velocity[i] = 0;
        mean[b][i] = moved ? UNKNOWN : 0;
        usualChange[b][i] = moved ? UNKNOWN : 0;
    }

    // Each loop is one statement over few arrays with the same index, for C2's vector code; see PosePasses.

    private static void subtract(
            float[] now, float[] before, float[] jump, float shift, float ticksASecond, float[] v, int n) {
        for (int i = 0; i < n; i++) {
            v[i] = (now[i] - before[i] - jump[i] + shift) * ticksASecond;
        }
    }

    private static void excess(float[] v, float[] last, float[] usual, float[] excess, int n) {
        for (int i = 0; i < n; i++) {
            excess[i] = Math.abs(v[i] - last[i]) - TIMES_USUAL * usual[i];
        }
    }

    private static void extrapolate(float[] v, float[] last, float[] velocity, int n) {
        for (int i = 0; i < n; i++) {
            velocity[i] = v[i] + 0.5f * (v[i] - last[i]);
        }
    }

    /** The usual change is the largest recent one: it halves from tick to tick, unless the latest is larger. */
    private static void decay(float[] v, float[] last, float[] usual, int n) {
        for (int i = 0; i < n; i++) {
            usual[i] = Math.max(Math.abs(v[i] - last[i]), 0.5f * usual[i]);
        }
    }
}
