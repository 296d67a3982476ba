package dev.escapement.physics.world;

import dev.escapement.state.capture.PoseWriter;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Finds bodies that the game has teleported without saying so. Neither the velocity before a tick nor the one after it explains their mean
 * velocity over the tick.
 *
 * <p>If a body is pushed or stops within a tick, its mean velocity is between those two, or between the one after it and none. So each mean
 * velocity is explained that is within a sphere with two of these three as the ends of a diameter, or not far beyond it. If a body bounces,
 * perhaps more than once, it may move in any direction, but no faster than before. The velocity before is the mean one of the tick before:
 * an even motion is explained also if the engine knows no velocity of it. The engine is asked only about a body that moved far, and not so
 * in the tick before.
 *
 * <p>Physics thread only, except the counter. Allocates nothing but the message.
 */
final class JumpFinder<B> implements PoseWriter.OutlierVisitor {

    /** How far a body that did not move before jumps at least. */
    private static final double METRES = 0.5;

    private static final int AXES = 3;
    private static final double[] NONE = new double[AXES];

    private final EngineCalls<B> engine;
    // Scratch for the current body, metres a second: its mean velocity over the tick, the velocity that the engine has,
    // and from the tick before the kept mean velocity and the kept velocity.
    private final double[] mean = new double[AXES];
    private final double[] after = new double[AXES];
    private final double[] meanBefore = new double[AXES];
    private final double[] before = new double[AXES];

    // Written by the physics thread alone; atomic so that any thread may read it, nothing else is ordered by it.
    final AtomicLong found = new AtomicLong();

    private double dtSeconds;

    /** Steps since the last capture. */
    private int steps;

    /** Seconds and steps from the capture before to this one. */
    private double seconds;

    /** How far the current body's mean velocity may be beyond what explains it, metres a second. */
    private double slack;

    private boolean isOneStep;
    private long captures;

    // By slot, not in the bodies: the loop over them reads less memory.

    /** The last capture in which a body moved far or restarted. */
    private long[] movedCaptures = {};

    /** The mean velocity over the tick before, metres a second, three a slot; the engine's velocity where a body restarted. */
    private double[] meanVelocities = {};

    /** The same, but the engine's velocity also where a body jumped. */
    private double[] velocities = {};

    /** The writer of the capture that runs. */
    private @Nullable PoseWriter poses;

    JumpFinder(EngineCalls<B> engine) {
        this.engine = engine;
    }

    void stepped(double newDtSeconds) {
        dtSeconds = newDtSeconds;
        steps++;
    }

    /** Begins a capture, whose outliers the writer finds at its end. */
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

    /** Called in a capture in which a body came, jumped, or was restored: its mean velocity says nothing of the tick after it. */
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
        if (body == null || movedCaptures[slot] == captures) { // not of this world, or restarted
            return;
        }
        if (movedCaptures[slot] < captures - 1) { // it did not move far before
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
        return !(length(mean) > length(before) + slack); // also if that is not known
    }

    private static double length(double[] v) {
        return Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }

    /** Whether the mean velocity is in the sphere that has two velocities as the ends of a diameter, or not far beyond it. */
    private boolean isBetween(double[] a, double[] b) {
        double distance = 0;
        double diameter = 0;
        for (int axis = 0; axis < mean.length; axis++) {
            double fromCentre = mean[axis] - 0.5 * (a[axis] + b[axis]);
            distance += fromCentre * fromCentre;
            diameter += (a[axis] - b[axis]) * (a[axis] - b[axis]);
        }
        return !(Math.sqrt(distance) > 0.5 * Math.sqrt(diameter) + slack); // also if one is not known
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
