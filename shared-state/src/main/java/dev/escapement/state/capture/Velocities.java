package dev.escapement.state.capture;

import java.util.Arrays;

/**
 * One component of the velocities at the ticks, metres a second, derived from positions.
 *
 * <p>Semi-implicit Euler moves a body by v(n) from n-1 to n: its velocity is the mean over that tick, true half a tick
 * earlier. Half of its latest change brings it to n: m(n) = v(n) + (v(n) - v(n-1)) / 2, which is the second-order backward
 * difference of the positions. A change several times larger than is usual for the body is a blow and not a curve, and is not
 * extrapolated.
 */
final class Velocities {

    /** A blow amid a tick shows in two changes, and at the fastest point of a swing there is nearly none. */
    private static final float TIMES_USUAL = 4;

    /** A change of path within a tick that is too small to be seen, in metres. */
    private static final double UNSEEN_METRES = 2.5e-4;

    private final double dtSeconds;
    private final float unseenChange;

    /** Per slot: the mean velocity over the last tick. NaN: not known. */
    private float[] mean;

    /** Per slot: by how much it changes from tick to tick. Infinite: not known. */
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
        usualChange[slot] = 2 * usual + unseenChange; // or it is a new way of moving, which soon is usual
        return v;
    }
}
