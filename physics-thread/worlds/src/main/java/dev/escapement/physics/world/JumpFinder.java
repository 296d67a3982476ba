package dev.escapement.physics.world;

import dev.escapement.state.capture.PoseWriter;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Finds bodies that the game has teleported without announcing it. Neither the velocity before a tick nor the one after it explains their
 * mean velocity over the tick.
 *
 * <p>If a body is pushed or stops within a tick, its mean velocity is between the velocities before and after the tick, or between the
 * velocity after it and zero. So a mean velocity is explained if it is within, or close to, a sphere that has such a pair as the ends of a
 * diameter. A body that bounces, perhaps more than once, may move in any direction, but no faster than before: so any mean velocity that is
 * not faster is explained. The mean velocity of the tick before stands for the velocity before, so that an even motion is explained even if
 * the engine reports no velocity for it. The engine's velocity is read only if these values do not explain the motion.
 *
 * <p>Physics thread only, except the counter. Allocates nothing but the message about the first jump.
 */
final class JumpFinder<B> implements PoseWriter.OutlierVisitor {

    /** The shortest jump that is found for a body at rest. */
    private static final double METRES = 0.5;

    private static final int AXES = 3;
    private static final double[] NONE = new double[AXES];

    private final EngineCalls<B> engine;
    // Scratch for the current body, metres a second: its mean velocity over the tick, the velocity that the engine
    // reports, and the mean velocity and the velocity that were kept in the tick before.
    private final double[] mean = new double[AXES];
    private final double[] after = new double[AXES];
    private final double[] meanBefore = new double[AXES];
    private final double[] before = new double[AXES];

    // The number of jumps found. Written by the physics thread alone. Atomic, so that any thread may read it; it orders
    // no other access.
    final AtomicLong found = new AtomicLong();

    private double dtSeconds;

    private int steps;

    private double seconds;

    /** The part of a body's mean speed in this tick that {@link #METRES} and rounding may cause, metres a second. */
    private double slack;

    private boolean isOneStep;
    private long captures;

    // Arrays by slot and not fields of the bodies, because the loop over arrays reads less memory.

    /** By slot, the number of the last capture in which the body moved more than {@link #METRES}, or {@link #restart} was called for it. */
    private long[] movedCaptures = {};

    /**
     * By slot, three numbers each: the mean velocity over the tick before, metres a second; after {@link #restart}, the engine's velocity.
     */
    private double[] meanVelocities = {};

    /**
     * Like {@link #meanVelocities}, except that a body that jumped has the engine's velocity, because its mean velocity includes the jump.
     */
    private double[] velocities = {};

    private @Nullable PoseWriter poses;

    JumpFinder(EngineCalls<B> engine) {
        this.engine = engine;
    }

    void stepped(double newDtSeconds) {
        dtSeconds = newDtSeconds;
        steps++;
    }

    /** Begins a capture, at whose end the writer calls {@link #moved} for each body that moved more than {@link #METRES}. */
    void begin(PoseWriter writer) {
        captures++;
        poses = writer;
        seconds = steps * dtSeconds;
        isOneStep = steps == 1; // the motion within several steps may explain any move
        steps = 0;
        if (seconds > 0) {
            writer.findOutliers((float) METRES, this);
        }
    }

    /** Notes that a body was spawned, teleported or restored: its mean velocity over this tick says nothing about the next one. */
    void restart(ShownBody<B> body) {
        int slot = body.slot();
        if (slot >= movedCaptures.length) {
            int slots = Math.max(64, 2 * slot);
            movedCaptures = Arrays.copyOf(movedCaptures, slots);
            meanVelocities = Arrays.copyOf(meanVelocities, AXES * slots);
            velocities = Arrays.copyOf(velocities, AXES * slots);
        }
        engine.states.velocities(body.body, after);
        keep(slot, after, after);
    }

    @Override
    public void moved(int slot, float dx, float dy, float dz, float rounding) {
        ShownBody<B> body = engine.bodies.inSlot(slot);
        // Skips bodies of another world, and bodies for which restart() was called in this capture.
        if (body == null || movedCaptures[slot] == captures) {
            return;
        }
        if (movedCaptures[slot] < captures - 1) { // the body moved less than METRES in the tick before
            Arrays.fill(before, 0);
            Arrays.fill(meanBefore, 0);
        } else {
            System.arraycopy(velocities, AXES * slot, before, 0, AXES);
            System.arraycopy(meanVelocities, AXES * slot, meanBefore, 0, AXES);
        }
        mean[0] = dx / seconds;
        mean[1] = dy / seconds;
        mean[2] = dz / seconds;
        slack = (METRES + rounding) / seconds;
        boolean isJump = isOneStep && isJump(body);
        keep(slot, mean, isJump ? after : mean);
        if (isJump) {
            Objects.requireNonNull(poses).teleport(slot);
            found.setOpaque(found.getPlain() + 1);
            if (found.getPlain() == 1) {
                warn(body, dx, dy, dz);
            }
        }
    }

    private void keep(int slot, double[] meanVelocity, double[] velocity) {
        System.arraycopy(meanVelocity, 0, meanVelocities, AXES * slot, AXES);
        System.arraycopy(velocity, 0, velocities, AXES * slot, AXES);
        movedCaptures[slot] = captures;
    }

    private boolean isJump(ShownBody<B> body) {
        if (isNoFasterThanBefore() || isBetween(meanBefore, meanBefore)) {
            return false;
        }
        engine.states.velocities(body.body, after);
        return !isBetween(before, after) && !isBetween(NONE, after);
    }

    private boolean isNoFasterThanBefore() {
        return !(length(mean) > length(before) + slack); // also true if a velocity is unknown (NaN)
    }

    private static double length(double[] v) {
        return Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }

    /** Returns whether the mean velocity is within, or close to, the sphere with two velocities as the ends of a diameter. */
    private boolean isBetween(double[] a, double[] b) {
        double distance = 0;
        double diameter = 0;
        for (int axis = 0; axis < mean.length; axis++) {
            double fromCentre = mean[axis] - 0.5 * (a[axis] + b[axis]);
            distance += fromCentre * fromCentre;
            diameter += (a[axis] - b[axis]) * (a[axis] - b[axis]);
        }
        return !(Math.sqrt(distance) > 0.5 * Math.sqrt(diameter) + slack); // also true if a velocity is unknown (NaN)
    }

    private void warn(ShownBody<B> body, float dx, float dy, float dz) {
        System.getLogger("dev.escapement.physics")
                .log(
                        System.Logger.Level.WARNING,
                        body + " was taken for one that has jumped: it moved by (" + dx + ", " + dy + ", " + dz
                                + ") m in " + seconds + " s, but its velocity is (" + after[0] + ", " + after[1]
                                + ", " + after[2]
                                + ") m/s. Call teleported(body) when you move it. It is the first; those"
                                + " after it are only counted, as detected-teleports.");
    }
}
