package dev.escapement.state.capture;

import java.util.Arrays;

/**
 * Derives one component of the velocities at the ticks, in metres a second, from positions.
 *
 * <p>Semi-implicit Euler moves a body by v(n) from n-1 to n, so v(n) is the mean velocity over that tick and belongs half a tick earlier.
 * Adding half of its latest change extrapolates it to n: m(n) = v(n) + (v(n) - v(n-1)) / 2, which is the second-order backward difference
 * of the positions. A change several times larger than the body's usual one is a collision and not a curve, and is not extrapolated.
 */
final class Velocities {

    /** A generous factor: a collision within a tick shows as two changes, and at the fastest point of a swing there is nearly no change. */
    private static final float TIMES_USUAL = 4;

    /** A change of path within a tick that is too small to be seen, in metres. */
    private static final double UNSEEN_METRES = 2.5e-4;

    private final double dtSeconds;
    private final float unseenChange;

    /** Per slot: the mean velocity over the last tick. NaN: not known. */
    private float[] mean;

    /** Per slot: by how much the mean velocity usually changes from tick to tick. Infinite: not known. */
    private float[] usualChange;

    Velocities(double dtSeconds, int slots) {
        this.dtSeconds = dtSeconds;
        unseenChange = (float) (UNSEEN_METRES / dtSeconds);
        mean = new float[slots];
        usualChange = new float[slots];
    }

    void grow(int slots) {
        if (slots > mean.length) {
            mean = Arrays.copyOf(mean, Math.max(slots, 2 * mean.length));
            usualChange = Arrays.copyOf(usualChange, mean.length);
        }
    }

    /** A body rested for a tick. */
    void rest(int slot) {
        mean[slot] = 0;
        usualChange[slot] = 0;
    }

    /** A body's motion was broken: what it did before says nothing. */
    void forget(int slot) {
        mean[slot] = Float.NaN;
        usualChange[slot] = Float.POSITIVE_INFINITY;
    }

    /** The velocity after a body moved by some metres within a tick. */
    float derive(int slot, float moved) {
        float v = (float) (moved / dtSeconds);
        float change = v - mean[slot];
        mean[slot] = v;
        if (Float.isNaN(change)) {
            return v;
        }
        float usual = usualChange[slot];
        float most = TIMES_USUAL * usual + unseenChange;
        if (Math.abs(change) <= most) {
            usualChange[slot] = Float.isInfinite(usual) ? Math.abs(change) : Math.max(Math.abs(change), usual / 2);
            return v + 0.5f * change;
        }
        usualChange[slot] = 2 * usual + unseenChange; // if larger changes go on, they soon count as usual
        return v;
    }
}
