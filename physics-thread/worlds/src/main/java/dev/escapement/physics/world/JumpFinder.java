package dev.escapement.physics.world;

import dev.escapement.state.capture.PoseWriter;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Finds bodies and parts that the game has teleported without announcing it: neither the velocity before a tick nor the one after it
 * explains their mean velocity over the tick, or they turned by more than a third of a turn without an angular velocity. In a capture
 * without a step, as in a pause, nothing explains a move.
 *
 * <p>If a body is pushed or stops within a tick, its mean velocity is between the velocities before and after the tick, or between the
 * velocity after it and zero. So a mean velocity is explained if it is within, or close to, a sphere that has such a pair as the ends of a
 * diameter. A body that bounces, perhaps more than once, may move in any direction, but no faster than before: so any mean velocity that is
 * not faster is explained. The mean velocity of the tick before stands for the velocity before, so that an even motion is explained even if
 * the engine reports no velocity for it. The engine's velocity is read only if these values do not explain the motion. An even turn is
 * explained in the same way. Nobody knows the velocity of a part, so a part must jump farther to be found.
 *
 * <p>Physics thread only, except the counter. Allocates nothing but the message about the first jump.
 */
final class JumpFinder<B> implements PoseWriter.OutlierVisitor {

    /** The shortest jump that is found for a body at rest. */
    private static final double METRES = 0.5;

    /** The shortest jump that is found for a part at rest: at 60 Hz, it may start to move at 120 m/s. */
    private static final double PART_METRES = 2;

    /** {@link dev.escapement.state.snapshot.MotionBlock#turn} of a third of a turn. */
    private static final float THIRD_OF_TURN = -0.5f;

    private static final int AXES = 3;
    private static final double[] NONE = new double[AXES];
    private static final double[] UNKNOWN = {Double.NaN, Double.NaN, Double.NaN};

    private final EngineCalls<B> engine;
    // Scratch for the current body, metres a second: its mean velocity over the tick, the velocity that the engine
    // reports, and the mean velocity and the velocity that were kept in the tick before.
    private final double[] mean = new double[AXES];
    private final double[] after = new double[2 * AXES]; // with the angular velocity, radians a second
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

    /** The number of steps that the current capture shows. */
    int shownSteps;

    /** The number of captures after a step: the motion in others says nothing about velocities. */
    long captures;

    /** The slots of bodies and parts for which {@link #restart} was called in the current capture. */
    private final BitSet restarted = new BitSet();

    // Arrays by slot and not fields of the bodies, because the loop over arrays reads less memory.

    /** By slot, the number of the last capture in which the body was an outlier, or {@link #restart} was called for it. */
    private long[] movedCaptures = {};

    /** By slot, the number of the last capture in which the body turned by more than a quarter turn without an angular velocity. */
    private long[] turnedCaptures = {};

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

    /** Begins a capture, at whose end the writer calls {@link #moved} for each body that moved more than {@link #METRES} or turned far. */
    void begin(PoseWriter writer) {
        poses = writer;
        shownSteps = steps;
        seconds = steps == 0 ? 1 : steps * dtSeconds; // without a step, velocities stand for distances
        captures += steps == 0 ? 0 : 1;
        steps = 0;
        restarted.clear();
        writer.findOutliers((float) METRES, this);
    }

    /** Notes that a body was spawned, teleported or restored: its mean velocity over this tick says nothing about the next one. */
    void restart(ShownBody<B> body) {
        engine.states.velocities(body.body, after);
        restart(body.slot(), after);
    }

    /** Notes that a part was spawned: any motion may follow. */
    void restartPart(int slot) {
        restart(slot, UNKNOWN);
        turnedCaptures[slot] = captures;
    }

    private void restart(int slot, double[] velocity) {
        if (slot >= movedCaptures.length) {
            int slots = Math.max(64, 2 * slot);
            movedCaptures = Arrays.copyOf(movedCaptures, slots);
            turnedCaptures = Arrays.copyOf(turnedCaptures, slots);
            meanVelocities = Arrays.copyOf(meanVelocities, AXES * slots);
            velocities = Arrays.copyOf(velocities, AXES * slots);
        }
        restarted.set(slot);
        keep(slot, velocity, velocity);
    }

    @Override
    public void moved(int slot, float dx, float dy, float dz, float rounding, float turn) {
        ShownBody<B> body = engine.bodies.inSlot(slot);
        boolean isPart = body == null && engine.bodies.parts.slots.get(slot);
        // Skips bodies of another world, and those whose motion is of a restart.
        if (restarted.get(slot) || (body == null && !isPart)) {
            return;
        }
        if (shownSteps == 0) { // a command may have put the body to sleep, too
            engine.bodies.displaced.set(slot);
        }
        boolean wasSlow = shownSteps == 0 || movedCaptures[slot] < captures - 1;
        int at = wasSlow ? 0 : AXES * slot;
        System.arraycopy(wasSlow ? NONE : velocities, at, before, 0, AXES);
        System.arraycopy(wasSlow ? NONE : meanVelocities, at, meanBefore, 0, AXES);
        mean[0] = dx / seconds;
        mean[1] = dy / seconds;
        mean[2] = dz / seconds;
        slack = ((isPart ? PART_METRES : METRES) + rounding) / seconds;
        boolean hasMoved = shownSteps <= 1 && hasMoved(body); // the motion within several steps may explain any move
        boolean hasFlipped = shownSteps <= 1 && turn < THIRD_OF_TURN && hasFlipped(body, slot);
        if (shownSteps > 0) {
            keep(slot, mean, !hasMoved ? mean : isPart ? before : after);
            turnedCaptures[slot] = turn < 0 ? captures : turnedCaptures[slot];
        }
        if (hasMoved || hasFlipped) {
            Objects.requireNonNull(poses).teleport(slot);
            found.setOpaque(found.getPlain() + 1);
            if (found.getPlain() == 1) {
                warn(slot, dx, dy, dz, turn);
            }
        }
    }

    private void keep(int slot, double[] meanVelocity, double[] velocity) {
        System.arraycopy(meanVelocity, 0, meanVelocities, AXES * slot, AXES);
        System.arraycopy(velocity, 0, velocities, AXES * slot, AXES);
        movedCaptures[slot] = captures;
    }

    private boolean hasMoved(@Nullable ShownBody<B> body) {
        if (isNoFasterThanBefore() || isBetween(meanBefore, meanBefore)) {
            return false;
        }
        if (body == null || shownSteps == 0) {
            return true;
        }
        engine.states.velocities(body.body, after);
        return !isBetween(before, after) && !isBetween(NONE, after);
    }

    private boolean hasFlipped(@Nullable ShownBody<B> body, int slot) {
        if (shownSteps == 0) {
            return true;
        }
        if (body != null) {
            engine.states.velocities(body.body, after);
        }
        // An adapter whose engine limits spins writes none, although a game may divide the tick into several steps.
        return turnedCaptures[slot] < captures - 1 && (body == null || !(length(after, AXES) * seconds > Math.PI / 2));
    }

    private boolean isNoFasterThanBefore() {
        return !(length(mean, 0) > length(before, 0) + slack); // also true if a velocity is unknown (NaN)
    }

    private static double length(double[] v, int from) {
        return Math.sqrt(v[from] * v[from] + v[from + 1] * v[from + 1] + v[from + 2] * v[from + 2]);
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

    private void warn(int slot, float dx, float dy, float dz, float turn) {
        String turned =
                turn < 0 ? " and turned by " + Math.round(Math.toDegrees(2 * Math.acos(1 + turn))) + " degrees" : "";
        ShownBody<B> body = engine.bodies.inSlot(slot);
        String known = body == null || shownSteps == 0
                ? ""
                : ", but its velocity is (" + after[0] + ", " + after[1] + ", " + after[2] + ") m/s";
        System.getLogger("dev.escapement.physics")
                .log(
                        System.Logger.Level.WARNING,
                        (body == null ? "the part in slot " + slot : body)
                                + " was taken for one that has jumped: it moved by ("
                                + dx + ", " + dy + ", " + dz + ") m" + turned
                                + (shownSteps == 0 ? " while time stood still" : " in " + seconds + " s") + known
                                + ". Call "
                                + (body == null ? "poses.teleport(slot) in its source" : "teleported(body)")
                                + " when you move it. It is the first; those after it are only counted, as"
                                + " detected-teleports.");
    }
}
