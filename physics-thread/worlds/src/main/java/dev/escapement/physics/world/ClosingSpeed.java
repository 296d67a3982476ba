package dev.escapement.physics.world;

import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.physics.simulation.Tick;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Computes closing speeds at points of contact, from the bodies' velocities before the engine has stopped them.
 *
 * <p>Physics thread only. Allocates once for each body, if events are wanted.
 */
final class ClosingSpeed<B> implements ContactPairs.ClosingSpeeds {

    /** NaN for each velocity and angular velocity: a body has this array until its velocities are read. */
    static final double[] UNKNOWN = new double[BodyStateBits.MOTION - 3];

    static {
        Arrays.fill(UNKNOWN, Double.NaN);
    }

    private final EngineCalls<B> engine;

    private double dtSeconds;

    /** Whether the velocities before the step are known for all bodies of the last capture. */
    private boolean known;

    private final double[] motion = new double[BodyStateBits.MOTION];

    ClosingSpeed(EngineCalls<B> engine) {
        this.engine = engine;
    }

    void begin(Tick tick) {
        dtSeconds = tick.dtSeconds();
        ContactTiming timing = engine.contactTiming();
        if (!tick.eventsWanted()) {
            known = false;
        } else if (timing == ContactTiming.POINTS_BEFORE_STEP || timing == ContactTiming.POINTS_AFTER_STEP) {
            read(false);
        }
    }

    /**
     * Reads the velocities for the next step, if the engine's bodies can be read only after a capture. Call it when the contacts of a step
     * were reported, after a capture that found all bodies in the world.
     */
    void reported() {
        if (engine.contactTiming() == ContactTiming.POINTS_BEFORE_STEP_READ_IN_CAPTURE) {
            read(true);
        }
    }

    private void read(boolean captured) {
        for (int i = 0; i < engine.bodies.size(); i++) {
            ShownBody<B> body = engine.bodies.get(i);
            if (body.before == UNKNOWN) {
                body.before = new double[UNKNOWN.length];
            }
            // A body that the game destroyed without detaching it cannot be read. The next capture reports that
            // mistake.
            if ((captured || engine.isInWorld(body.body)) && !engine.isAsleep(body.body)) {
                engine.states.velocities(body.body, body.before);
            } else {
                Arrays.fill(body.before, 0);
            }
        }
        known = true;
    }

    @Override
    public double of(long side, long other, double x, double y, double z, double nx, double ny, double nz) {
        return along(body(side), x, y, z, nx, ny, nz) - along(body(other), x, y, z, nx, ny, nz);
    }

    private @Nullable ShownBody<B> body(long side) {
        if (side >= 0) {
            return engine.bodies.inSlot((int) side);
        }
        long index = FIRST_WITHOUT_SLOT - side; // an index beyond the attached bodies is an unattached side
        return index >= 0 && index < engine.bodies.size() ? engine.bodies.get((int) index) : null;
    }

    /** Returns the speed of a point of a body along a direction. A body that is not attached counts as at rest. */
    private double along(@Nullable ShownBody<B> body, double x, double y, double z, double nx, double ny, double nz) {
        if (body == null) {
            return 0 * nx; // NaN if the normal is NaN, which stands for an unknown place
        }
        engine.states.motion(body.body, motion);
        engine.centreOfMass(body.body, motion);
        ContactTiming timing = engine.contactTiming();
        if (timing != ContactTiming.BEFORE_SOLVE) {
            double since = timing == ContactTiming.POINTS_AFTER_STEP ? 0 : dtSeconds;
            for (int axis = 0; axis < 3; axis++) {
                motion[axis] -= since * motion[3 + axis]; // the engine has moved the body since it found the points
            }
            System.arraycopy(known ? body.before : UNKNOWN, 0, motion, 3, UNKNOWN.length);
        }
        double rx = x - motion[0];
        double ry = y - motion[1];
        double rz = z - motion[2];
        double vx = motion[3] + motion[7] * rz - motion[8] * ry;
        double vy = motion[4] + motion[8] * rx - motion[6] * rz;
        double vz = motion[5] + motion[6] * ry - motion[7] * rx;
        return vx * nx + vy * ny + vz * nz;
    }
}
