package dev.escapement.state.wire;

import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseBlock;
import java.util.Arrays;

/**
 * A pose under computation, and a fading prediction error per slot.
 *
 * <p>An error is the offset of the shown pose from the true one. It shrinks with each tick, in the fewer ticks the smaller it is; its fade
 * begins and ends without a jump of velocity. An error of at most {@value #UNSEEN} times the bound of the format is dropped at once.
 *
 * <p>One thread.
 */
final class FadingPose {

    /** The number of floats of a pose: x, y, z, and the quaternion's x, y, z, w. */
    private static final int FLOATS = 7;

    /** The largest difference from 1 that the squared length of a valid rotation may have. */
    private static final float NO_UNIT = 0.05f;

    /**
     * The error that is dropped at once, and by which the remaining error shrinks in a tick on average, in units of the format's bound.
     * With a bound of 1 mm that is 10 mm, a quarter of the way of a body of 4 m/s in a tick of 10 ms. A fade of ten ticks for each error
     * instead makes 92 instead of 97 % of the ticks true where 5 % of the packets are lost.
     */
    private static final int UNSEEN = 10;

    private final int maxTicks;
    private final float[] pose = new float[FLOATS];

    /** The errors per slot: a translation, and a rotation that is applied after the true one. */
    private final float[][] errors = new float[FLOATS][0];

    // Per slot: the ticks until its error is 0, and one more than the ticks of the whole fade.
    private int[] fades = {};
    private int[] lengths = {};

    FadingPose(int maxTicks) {
        this.maxTicks = maxTicks;
    }

    void grow(int length) {
        fades = Arrays.copyOf(fades, length);
        lengths = Arrays.copyOf(lengths, length);
        Arrays.setAll(errors, i -> Arrays.copyOf(errors[i], length));
    }

    boolean isFading(int slot) {
        return fades[slot] > 0;
    }

    void forgetError(int slot) {
        fades[slot] = 0;
    }

    void set(PoseBlock from, int i) {
        set(from.px[i], from.py[i], from.pz[i], from.qx[i], from.qy[i], from.qz[i], from.qw[i]);
    }

    void set(float x, float y, float z, float qx, float qy, float qz, float qw) {
        pose[0] = x;
        pose[1] = y;
        pose[2] = z;
        pose[3] = qx;
        pose[4] = qy;
        pose[5] = qz;
        pose[6] = qw;
    }

    void get(PoseBlock to, int i) {
        to.set(i, pose[0], pose[1], pose[2], pose[3], pose[4], pose[5], pose[6]);
    }

    void place(double[] at) {
        pose[0] = (float) at[0];
        pose[1] = (float) at[1];
        pose[2] = (float) at[2];
    }

    void move(float x, float y, float z) {
        pose[0] += x;
        pose[1] += y;
        pose[2] += z;
    }

    /** Interpolates the pose linearly towards another pose, by the fraction {@code part} of the distance. */
    void towards(PoseBlock to, int i, float part) {
        float dot = pose[3] * to.qx[i] + pose[4] * to.qy[i] + pose[5] * to.qz[i] + pose[6] * to.qw[i];
        float sign = dot < 0 ? -1 : 1;
        move(part * (to.px[i] - pose[0]), part * (to.py[i] - pose[1]), part * (to.pz[i] - pose[2]));
        pose[3] += part * (sign * to.qx[i] - pose[3]);
        pose[4] += part * (sign * to.qy[i] - pose[4]);
        pose[5] += part * (sign * to.qz[i] - pose[5]);
        pose[6] += part * (sign * to.qw[i] - pose[6]);
        normalise();
    }

    /** Applies to this pose the motion between two poses of a block; applies its rotation only if {@code turns}. */
    void advance(PoseBlock block, int from, int to, boolean turns) {
        move(block.px[to] - block.px[from], block.py[to] - block.py[from], block.pz[to] - block.pz[from]);
        if (turns) {
            turn(-block.qx[from], -block.qy[from], -block.qz[from], block.qw[from]);
            turn(block.qx[to], block.qy[to], block.qz[to], block.qw[to]);
            normalise();
        }
    }

    /** Applies a rotation after the rotation of the pose, that is, about the axes of the world. */
    private void turn(float x, float y, float z, float w) {
        float px = pose[3];
        float py = pose[4];
        float pz = pose[5];
        float pw = pose[6];
        pose[3] = w * px + x * pw + y * pz - z * py;
        pose[4] = w * py - x * pz + y * pw + z * px;
        pose[5] = w * pz + x * py - y * px + z * pw;
        pose[6] = w * pw - x * px - y * py - z * pz;
    }

    /** Rotates the pose by a body's spin over {@code ticks} ticks. Does nothing for a body without spin. */
    void turnBy(WireTick from, int slot, long ticks) {
        if (!from.spins(slot)) {
            return;
        }
        double x = from.spin(slot, 0);
        double y = from.spin(slot, 1);
        double z = from.spin(slot, 2);
        double angle = length(x, y, z);
        double sine = Math.sin(ticks * angle / 2) / angle;
        turn((float) (x * sine), (float) (y * sine), (float) (z * sine), (float) Math.cos(ticks * angle / 2));
        normalise();
    }

    private void normalise() {
        float scale = (float) (1 / Math.sqrt(squaredLength()));
        for (int k = 3; k < FLOATS; k++) {
            pose[k] *= scale;
        }
    }

    private float squaredLength() {
        return pose[3] * pose[3] + pose[4] * pose[4] + pose[5] * pose[5] + pose[6] * pose[6];
    }

    /** Stores the error of a slot: the difference of this pose, which is shown next, from the true pose. */
    void beginFade(int slot, PoseBlock truth, int i, WireFormat format) {
        errors[0][slot] = pose[0] - truth.px[i];
        errors[1][slot] = pose[1] - truth.py[i];
        errors[2][slot] = pose[2] - truth.pz[i];
        // The rotation from the true pose to this one is pose * conjugate(truth). The sign selects the shorter way.
        float x = pose[3];
        float y = pose[4];
        float z = pose[5];
        float w = pose[6];
        set(0, 0, 0, -truth.qx[i], -truth.qy[i], -truth.qz[i], truth.qw[i]);
        turn(x, y, z, w);
        float sign = pose[6] < 0 ? -1 : 1;
        for (int k = 3; k < FLOATS; k++) {
            errors[k][slot] = sign * pose[k];
        }
        double metres = length(errors[0][slot], errors[1][slot], errors[2][slot]);
        double sine = length(errors[3][slot], errors[4][slot], errors[5][slot]);
        double radians = 2 * Math.asin(Math.min(1, sine));
        double bounds = Math.max(metres / format.maxPositionErrorMetres(), radians / format.maxRotationErrorRadians());
        lengths[slot] = (int) Math.max(1, Math.min(maxTicks + 1, Math.ceil(bounds / UNSEEN)));
        fades[slot] = lengths[slot];
    }

    private static double length(double x, double y, double z) {
        return Math.sqrt(x * x + y * y + z * z);
    }

    /** Fades the error by one tick, and adds the rest of it to the pose. Returns whether any error remains. */
    boolean addError(int slot) {
        if (fades[slot] > 0) {
            fades[slot]--;
            add(slot, 1);
        }
        return fades[slot] > 0;
    }

    /** Subtracts from the pose the part of the error that remained at the last tick. */
    void removeError(int slot) {
        add(slot, -1);
    }

    private void add(int slot, int sign) {
        if (fades[slot] > 0) {
            float left = (float) fades[slot] / lengths[slot];
            float part = left * left * (3 - 2 * left);
            move(sign * part * errors[0][slot], sign * part * errors[1][slot], sign * part * errors[2][slot]);
            turn(
                    sign * part * errors[3][slot],
                    sign * part * errors[4][slot],
                    sign * part * errors[5][slot],
                    1 - part * (1 - errors[6][slot]));
            normalise();
        }
    }

    /**
     * Replaces an invalid rotation by the identity. Hostile bits produce invalid rotations, and so does interpolation between two opposite
     * valid ones.
     */
    void repairRotation() {
        if (!(Math.abs(squaredLength() - 1) < NO_UNIT)) {
            set(pose[0], pose[1], pose[2], 0, 0, 0, 1);
        }
    }

    void write(PoseWriter poses, int slot) {
        repairRotation();
        poses.set(slot, pose[0], pose[1], pose[2], pose[3], pose[4], pose[5], pose[6]);
    }
}
