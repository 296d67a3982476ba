package dev.escapement.state.capture;

import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Computes the tangents of the Hermite curves through the positions, and finds bodies that did not move along a smooth curve in a tick. */
final class Tangents {

    /** A smaller distance between curve and straight line cannot be seen. */
    private static final double VISIBLE_METRES = 1e-3;

    private final boolean derived;
    private final double dtSeconds;
    private final double squaredVisibleSpeed;
    private final Velocities alongX;
    private final Velocities alongY;
    private final Velocities alongZ;

    // For the current block: how far each body jumped in addition to its motion, and whether its motion is broken.
    private final float[] jumpX = new float[PoseBlock.CAPACITY];
    private final float[] jumpY = new float[PoseBlock.CAPACITY];
    private final float[] jumpZ = new float[PoseBlock.CAPACITY];
    private final boolean[] broken = new boolean[PoseBlock.CAPACITY];

    Tangents(PoseLayout layout, double dtSeconds, int preallocatedBodies) {
        derived = layout.tangents() == PoseLayout.Tangents.DERIVED;
        this.dtSeconds = dtSeconds;
        squaredVisibleSpeed = VISIBLE_METRES / dtSeconds * (VISIBLE_METRES / dtSeconds);
        int room = derived ? preallocatedBodies : 0;
        alongX = new Velocities(dtSeconds, room);
        alongY = new Velocities(dtSeconds, room);
        alongZ = new Velocities(dtSeconds, room);
    }

    /** Makes room for a number of slots. */
    void grow(int slots) {
        if (derived) {
            alongX.grow(slots);
            alongY.grow(slots);
            alongZ.grow(slots);
        }
    }

    /** Computes the tangents of a block that changed in this tick, after all its poses and motion breaks were written. */
    void finish(int b, Snapshot target, @Nullable Snapshot previous, WrittenPoses written) {
        PoseBlock poses = target.poses().block(b);
        MotionBlock motion = target.motion(b);
        boolean known = previous != null && b < previous.poses().blockCount();
        findJumps(motion.breaks());
        int slots = target.poses().slotsIn(b);
        for (int i = 0; i < slots; i++) {
            int slot = (b << PoseBlock.SHIFT) + i;
            if (!written.contains(slot)) {
                rest(slot);
            } else if (!known || previous == null || broken[i]) {
                forget(slot);
            } else {
                PoseBlock before = previous.poses().block(b);
                float x = poses.px[i] - before.px[i] - jumpX[i] + (float) (target.originX() - previous.originX());
                float y = poses.py[i] - before.py[i] - jumpY[i] + (float) (target.originY() - previous.originY());
                float z = poses.pz[i] - before.pz[i] - jumpZ[i] + (float) (target.originZ() - previous.originZ());
                if (derived) {
                    motion.vx[i] = alongX.derive(slot, x);
                    motion.vy[i] = alongY.derive(slot, y);
                    motion.vz[i] = alongZ.derive(slot, z);
                }
                if (overshoots(previous.motion(b), motion, i, x, y, z)) {
                    motion.breaks().add(MotionBreaks.Kind.STRAIGHT, i, jumpX[i], jumpY[i], jumpZ[i]);
                }
            }
        }
    }

    private void findJumps(MotionBreaks breaks) {
        Arrays.fill(jumpX, 0);
        Arrays.fill(jumpY, 0);
        Arrays.fill(jumpZ, 0);
        Arrays.fill(broken, false);
        for (int s = 0; s < breaks.count(); s++) {
            if (breaks.kind(s) == MotionBreaks.Kind.BROKEN) {
                broken[breaks.index(s)] = true;
            } else if (breaks.kind(s) == MotionBreaks.Kind.SHIFTED) {
                jumpX[breaks.index(s)] += breaks.x(s);
                jumpY[breaks.index(s)] += breaks.y(s);
                jumpZ[breaks.index(s)] += breaks.z(s);
            }
        }
    }

    private void rest(int slot) {
        if (derived) {
            alongX.rest(slot);
            alongY.rest(slot);
            alongZ.rest(slot);
        }
    }

    private void forget(int slot) {
        if (derived) {
            alongX.forget(slot);
            alongY.forget(slot);
            alongZ.forget(slot);
        }
    }

    /**
     * Whether a curve with these two tangents would overshoot. In a smooth motion the mean of the tangents differs from the mean velocity
     * by a small part of their difference only. If it differs by more, something hit the body during the tick.
     */
    private boolean overshoots(MotionBlock before, MotionBlock after, int i, float x, float y, float z) {
        double ex = x / dtSeconds - 0.5 * ((double) before.vx[i] + after.vx[i]);
        double ey = y / dtSeconds - 0.5 * ((double) before.vy[i] + after.vy[i]);
        double ez = z / dtSeconds - 0.5 * ((double) before.vz[i] + after.vz[i]);
        double dx = (double) after.vx[i] - before.vx[i];
        double dy = (double) after.vy[i] - before.vy[i];
        double dz = (double) after.vz[i] - before.vz[i];
        double squaredError = ex * ex + ey * ey + ez * ez;
        double squaredDifference = dx * dx + dy * dy + dz * dz;
        return squaredError > squaredVisibleSpeed && 16 * squaredError > squaredDifference;
    }
}
