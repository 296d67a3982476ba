package dev.escapement.state.capture;

import java.util.Arrays;

/**
 * One component of the velocities at the ticks, metres a second, derived from positions.
 *
 * <p>Semi-implicit Euler moves a body by v(n) from n-1 to n: its velocity is the mean over that tick, true half a tick
 * earlier. Half of its latest change brings it to n: m(n) = v(n) + (v(n) - v(n-1)) / 2, which is the second-order backward
 * difference of the positions. A change much larger than the one before is a blow and not a curve, and is not extrapolated.
 */
final class Velocities {

    private final double dtSeconds;

    /** Per slot: the mean velocity over the last tick, and by how much it changed. NaN: not known. */
    private float[] mean;

    private float[] change;

    Velocities(double dtSeconds, int slots) {
        this.dtSeconds = dtSeconds;
        mean = new float[slots];
        change = new float[slots];
    }

    void grow(int slots) {
        if (slots > mean.length) {
            mean = Arrays.copyOf(mean, Math.max(slots, 2 * mean.length));
            change = Arrays.copyOf(change, mean.length);
        }
    }

    /** A body rested for a tick. */
    void rest(int slot) {
        mean[slot] = 0;
        change[slot] = 0;
    }

    /** A body's motion was broken: what it did before says nothing. */
    void forget(int slot) {
        mean[slot] = Float.NaN;
        change[slot] = Float.NaN;
    }

    /** The velocity after a body moved by some metres within a tick. */
    float derive(int slot, float moved) {
        float v = (float) (moved / dtSeconds);
        float changed = v - mean[slot];
        float usual = 2 * Math.abs(change[slot]);
        mean[slot] = v;
        change[slot] = changed;
        if (Float.isNaN(changed)) {
            return v;
        }
        float smooth = Float.isNaN(usual) ? changed : Math.max(-usual, Math.min(usual, changed));
        return v + 0.5f * smooth;
    }
}
