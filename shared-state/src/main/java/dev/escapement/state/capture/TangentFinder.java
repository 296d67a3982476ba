package dev.escapement.state.capture;

import dev.escapement.state.snapshot.MotionBlock;
import dev.escapement.state.snapshot.MotionBreaks;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Computes the tangents of the Hermite curves through the positions, and finds bodies that did not move along a smooth curve in a tick. */
final class TangentFinder {

    /** A smaller distance between curve and straight line cannot be seen. */
    private static final double VISIBLE_METRES = 1e-3;

    private final double squaredVisibleSpeed;
    private final AxisVelocities alongX;
    private final AxisVelocities alongY;
    private final AxisVelocities alongZ;

    // For the current block: how far each body jumped in addition to its motion, whether its motion is broken, and the
    // square of how far its mean velocity is from that of the curve.
    private float[] jumpX = {};
    private float[] jumpY = {};
    private float[] jumpZ = {};
    private boolean[] broken = {};
    private float[] squaredError = {};

    TangentFinder(double dtSeconds) {
        squaredVisibleSpeed = VISIBLE_METRES / dtSeconds * (VISIBLE_METRES / dtSeconds);
        alongX = new AxisVelocities(dtSeconds);
        alongY = new AxisVelocities(dtSeconds);
        alongZ = new AxisVelocities(dtSeconds);
    }

    /** Computes the tangents of a block that changed in this tick, after all its poses and motion breaks were written. */
    void finish(int b, Snapshot target, @Nullable Snapshot previous, WrittenPoses written) {
        int slots = target.poses().slotsIn(b);
        grow(target.poses());
        if (previous == null || b >= previous.poses().blockCount()) {
            Arrays.fill(broken, 0, slots, true);
            forgetOrRest(b, slots, target.motion(b), written);
            return;
        }
        PoseBlock now = target.poses().block(b);
        PoseBlock before = previous.poses().block(b);
        MotionBlock motion = target.motion(b);
        boolean interrupted = motion.breaks().count() > 0;
        findJumps(motion.breaks(), slots);
        int known = Math.min(slots, previous.poses().slotsIn(b)); // those in other slots do not move yet
        float shiftX = (float) (target.originX() - previous.originX());
        float shiftY = (float) (target.originY() - previous.originY());
        float shiftZ = (float) (target.originZ() - previous.originZ());
        alongX.measure(now.px, before.px, jumpX, shiftX, known);
        alongY.measure(now.py, before.py, jumpY, shiftY, known);
        alongZ.measure(now.pz, before.pz, jumpZ, shiftZ, known);
        alongX.derive(b, motion.vx, known);
        alongY.derive(b, motion.vy, known);
        alongZ.derive(b, motion.vz, known);
        if (interrupted || !written.isComplete(b)) {
            forgetOrRest(b, slots, motion, written);
        }
        findOvershoots(b, known, previous.motion(b), motion, written);
    }

    private void grow(PoseBlocks poses) {
        alongX.grow(poses);
        alongY.grow(poses);
        alongZ.grow(poses);
        int room = poses.block(0).room();
        if (room > jumpX.length) {
            jumpX = new float[room];
            jumpY = new float[room];
            jumpZ = new float[room];
            broken = new boolean[room];
            squaredError = new float[room];
        }
    }

    /** Corrects the bodies that rest, and those whose motion is broken. */
    private void forgetOrRest(int b, int slots, MotionBlock motion, WrittenPoses written) {
        for (int i = 0; i < slots; i++) {
            boolean moved = written.contains((b << PoseBlock.SHIFT) + i);
            if (!moved || broken[i]) {
                alongX.stop(b, i, moved, motion.vx);
                alongY.stop(b, i, moved, motion.vy);
                alongZ.stop(b, i, moved, motion.vz);
            }
        }
    }

    private void findOvershoots(int b, int slots, MotionBlock before, MotionBlock after, WrittenPoses written) {
        float[] meanX = alongX.measured();
        float[] meanY = alongY.measured();
        float[] meanZ = alongZ.measured();
        Arrays.fill(squaredError, 0, slots, 0);
        addError(meanX, before.vx, after.vx, squaredError, slots);
        addError(meanY, before.vy, after.vy, squaredError, slots);
        addError(meanZ, before.vz, after.vz, squaredError, slots);
        float suspicious = (float) (0.99 * squaredVisibleSpeed); // the exact limit is for overshoots
        for (int i = 0; i < slots; i++) {
            if (squaredError[i] > suspicious
                    && !broken[i]
                    && written.contains((b << PoseBlock.SHIFT) + i)
                    && overshoots(before, after, i, meanX[i], meanY[i], meanZ[i])) {
                after.breaks().add(MotionBreaks.Kind.STRAIGHT, i, jumpX[i], jumpY[i], jumpZ[i]);
            }
        }
    }

    /** Adds to the squared difference between a mean velocity and the mean of two tangents. */
    private static void addError(float[] mean, float[] before, float[] after, float[] squared, int n) {
        for (int i = 0; i < n; i++) {
            float error = mean[i] - 0.5f * before[i] - 0.5f * after[i];
            squared[i] = squared[i] + error * error;
        }
    }

    private void findJumps(MotionBreaks breaks, int slots) {
        Arrays.fill(jumpX, 0, slots, 0);
        Arrays.fill(jumpY, 0, slots, 0);
        Arrays.fill(jumpZ, 0, slots, 0);
        Arrays.fill(broken, 0, slots, false);
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

    /**
     * Whether a curve with these two tangents would overshoot. In a smooth motion the mean of the tangents differs from the mean velocity
     * by a small part of their difference only. If it differs by more, something hit the body during the tick.
     */
    private boolean overshoots(MotionBlock before, MotionBlock after, int i, double x, double y, double z) {
        double ex = x - 0.5 * ((double) before.vx[i] + after.vx[i]);
        double ey = y - 0.5 * ((double) before.vy[i] + after.vy[i]);
        double ez = z - 0.5 * ((double) before.vz[i] + after.vz[i]);
        double dx = (double) after.vx[i] - before.vx[i];
        double dy = (double) after.vy[i] - before.vy[i];
        double dz = (double) after.vz[i] - before.vz[i];
        double squared = ex * ex + ey * ey + ez * ez;
        double squaredDifference = dx * dx + dy * dy + dz * dz;
        return squared > squaredVisibleSpeed && 16 * squared > squaredDifference;
    }
}
