package dev.escapement.bench.demo;

import dev.escapement.bench.demo.MachineParts.Part;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Tick;
import java.util.List;
import java.util.random.RandomGenerator;
import org.joml.Vector3dc;

/**
 * A drum that turns for ever and tumbles bodies, with a pendulum in front of it. At each half swing an escapement releases its wheel by one
 * tooth, and the wheel gives the pendulum the impulse that keeps it swinging. So everything moves all the time. A body that is thrown out
 * of the drum is put back.
 *
 * <p>Drum, wheel and anchor are kinematic and computed here, the same in every engine; the pendulum's bob is a body of the engine that
 * hangs from a hinge, and the anchor follows it. Axes are along z, angles are in radians, counterclockwise as seen from the front.
 *
 * <p>Its saved state is the escapement's. The physics thread only, once it is in a world.
 *
 * @see MachineParts
 */
public final class Machine implements Restorable {

    static final double AMPLITUDE = 0.3;

    private static final double FRICTION = 0.5;
    private static final double GRAVITY = -BoxPile.GRAVITY_METRES_PER_SECOND_SQUARED;

    /** The drum's centripetal acceleration at its wall, divided by gravity. Bodies are carried up to a third of its height, then fall. */
    private static final double FROUDE = 0.12;

    /** The largest angle of the pendulum at which the wheel pushes it. */
    private static final double IMPULSE_RADIANS = 0.1;

    /** The part of the missing amplitude that the impulse of one tick restores. */
    private static final double IMPULSE_GAIN = 0.05;

    /** The spring and the damper of the wheel's motor, per moment of inertia: a tooth takes a fifth of a second, with some recoil. */
    private static final double WHEEL_STIFFNESS = 500;

    private static final double WHEEL_DAMPING = 25;

    private final MachineParts shape;
    private final int tumbling;
    private final double drumRadiansPerSecond;
    private final double pendulumRadiansPerSecond;

    private double pendulumAngle = AMPLITUDE;
    private double wheelAngle;
    private double wheelSpeed;
    private long teeth;

    /**
     * Creates a machine at rest.
     *
     * @param bodies  how many tumble in it
     * @param inPlane whether the engine has two dimensions
     */
    public Machine(int bodies, boolean inPlane) {
        tumbling = bodies;
        shape = new MachineParts(bodies, inPlane);
        drumRadiansPerSecond = Math.sqrt(FROUDE * GRAVITY / shape.radius);
        pendulumRadiansPerSecond = Math.sqrt(GRAVITY / shape.pendulumLength);
        shape.pendulum.turn(AMPLITUDE);
    }

    /** Returns the scene that an engine builds: the bodies that tumble, then the bob, and the parts. */
    public Scene scene() {
        return new Scene(-GRAVITY, shape.solids(FRICTION, AMPLITUDE), this);
    }

    /** Half the edge of a floor that holds the machine, in metres. */
    public double floorHalfExtent() {
        return shape.radius + 4;
    }

    /** The height of the machine, in metres. */
    public double height() {
        return shape.pivotY + 1;
    }

    /** The number of tumbling bodies, which have the first numbers. */
    int tumbling() {
        return tumbling;
    }

    MachineParts shape() {
        return shape;
    }

    /** The number of the wheel's teeth that the escapement has released. */
    long teeth() {
        return teeth;
    }

    /** The angle of the wheel; negative, because it turns clockwise. */
    double wheelAngle() {
        return wheelAngle;
    }

    /** The angle of the pendulum before the last step. */
    double pendulumAngle() {
        return pendulumAngle;
    }

    /** Moves the parts to their places at the end of a tick, drives the pendulum, and puts back bodies that were thrown out. */
    void step(EngineBodies<?> world, Tick tick) {
        double dt = tick.dtSeconds();
        double speed = swing(world, dt);
        turnWheel(dt);
        shape.drum.turn(-drumRadiansPerSecond * tick.number() * dt);
        shape.wheel.turn(wheelAngle);
        shape.pendulum.turn(pendulumAngle + speed * dt);
        List<Part> parts = shape.parts();
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            if (part.rotor() != shape.frame) {
                world.move(i, part.worldX(), part.worldY(), part.z(), part.worldTurn(), dt);
            }
        }
        putBack(world);
    }

    /** Puts each body that was thrown out at a free place. A body that finds none waits for a later tick. */
    private void putBack(EngineBodies<?> world) {
        List<Vector3dc> places = shape.placesToReturn();
        int next = 0;
        for (int body = 0; body < tumbling; body++) {
            if (!shape.isInDrum(world.position(body))) {
                while (next < places.size() && isTaken(places.get(next), world)) {
                    next++;
                }
                if (next < places.size()) {
                    world.putBack(body, places.get(next));
                }
            }
        }
    }

    /** Teleports a body to one of the places for thrown-out bodies, if there is room. */
    void teleport(EngineBodies<?> world, int body, RandomGenerator random) {
        List<Vector3dc> places = shape.placesToReturn();
        Vector3dc place = places.get(random.nextInt(places.size()));
        if (!isTaken(place, world)) {
            world.putBack(body, place);
        }
    }

    private boolean isTaken(Vector3dc place, EngineBodies<?> world) {
        for (int body = 0; body < tumbling; body++) {
            if (world.position(body).distance(place) < MachineParts.ROOM) {
                return true;
            }
        }
        return false;
    }

    /**
     * Reads the pendulum, releases a tooth of the wheel when the pendulum passes the middle, and pushes the pendulum. Returns its radians
     * per second.
     */
    private double swing(EngineBodies<?> world, double dt) {
        Vector3dc bob = world.position(tumbling);
        double angle = StrictMath.atan2(bob.x(), shape.pivotY - bob.y());
        double speed = (angle - pendulumAngle) / dt;
        if ((angle > 0) != (pendulumAngle > 0) && Math.abs(speed) * dt < 1) { // a dragged pendulum may turn over
            teeth++;
        }
        pendulumAngle = angle;
        double reached = StrictMath.hypot(angle, speed / pendulumRadiansPerSecond);
        if (Math.abs(angle) < IMPULSE_RADIANS && reached < AMPLITUDE) {
            double push = IMPULSE_GAIN * (AMPLITUDE - reached) * pendulumRadiansPerSecond * shape.pendulumLength;
            double dv = speed < 0 ? -push : push;
            world.push(tumbling, dv * Sine.cosine(angle), dv * Sine.of(angle), 0);
        }
        return speed;
    }

    private void turnWheel(double dt) {
        double left = -teeth * MachineParts.WHEEL_PITCH - wheelAngle;
        wheelSpeed += (WHEEL_STIFFNESS * left - WHEEL_DAMPING * wheelSpeed) * dt;
        wheelAngle += wheelSpeed * dt;
    }

    @Override
    public void save(StateBuffer to) {
        to.put(pendulumAngle).put(wheelAngle).put(wheelSpeed).put(teeth);
    }

    @Override
    public void restore(StateBuffer from) {
        pendulumAngle = from.getDouble();
        wheelAngle = from.getDouble();
        wheelSpeed = from.getDouble();
        teeth = from.getLong();
    }
}
