package dev.escapement.bench.demo;

import dev.escapement.bench.demo.MachineParts.Part;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Tick;
import java.util.List;
import java.util.random.RandomGenerator;
import org.joml.Vector3dc;

/**
 * A turning drum that tumbles bodies, and a pendulum clock in front of it. At each half swing of the pendulum, an escapement releases its
 * wheel by one tooth, and the wheel gives the pendulum the impulse that keeps it swinging. So everything moves all the time. A body that
 * was thrown out of the drum is put back.
 *
 * <p>This class moves the drum, the wheel and the anchor as kinematic bodies, the same way in every engine. The pendulum's bob is a dynamic
 * body of the engine, which hangs from a hinge; the anchor follows it. Axes are along z, angles are in radians, counterclockwise as seen
 * from the front.
 *
 * <p>Its saved state is the state of wheel and pendulum. Once the machine is in a world, only the physics thread may use it.
 *
 * @see MachineParts
 */
public final class Machine implements Restorable {

    static final double AMPLITUDE = 0.3;

    private static final double FRICTION = 0.5;
    private static final double GRAVITY = -BoxPile.GRAVITY_METRES_PER_SECOND_SQUARED;

    /**
     * The drum's centripetal acceleration at its wall, divided by gravity. With this ratio, the wall carries bodies up to a third of the
     * drum's height before they fall.
     */
    private static final double FROUDE = 0.12;

    /** The wheel pushes the pendulum only while the pendulum's angle is below this, in radians. */
    private static final double IMPULSE_RADIANS = 0.1;

    /** The part of the lost amplitude that the impulse of one tick restores. */
    private static final double IMPULSE_GAIN = 0.05;

    /**
     * The stiffness and the damping of the wheel's motor, divided by the wheel's moment of inertia. With these values the wheel turns by
     * one tooth in a fifth of a second, with some recoil.
     */
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
     * @param bodies  how many bodies tumble in the drum
     * @param inPlane whether the engine has two dimensions
     */
    public Machine(int bodies, boolean inPlane) {
        tumbling = bodies;
        shape = new MachineParts(bodies, inPlane);
        drumRadiansPerSecond = Math.sqrt(FROUDE * GRAVITY / shape.radius);
        pendulumRadiansPerSecond = Math.sqrt(GRAVITY / shape.pendulumLength);
        shape.pendulum.turn(AMPLITUDE);
    }

    /**
     * Returns the scene for an engine. Its dynamic bodies are those that tumble, then the pendulum's bob; the parts of the machine follow.
     */
    public Scene scene() {
        return new Scene(-GRAVITY, shape.solids(FRICTION, AMPLITUDE), this);
    }

    public double floorHalfExtent() {
        return shape.radius + 4;
    }

    public double height() {
        return shape.pivotY + 1;
    }

    int tumbling() {
        return tumbling;
    }

    MachineParts shape() {
        return shape;
    }

    /** How many teeth of the wheel the escapement has released since the start. */
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

    /** Moves the parts to where they must be at the end of the tick, pushes the pendulum, and puts back bodies that were thrown out. */
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

    /** Puts each body that was thrown out of the drum back to a free position. If none is free, the body waits for a later tick. */
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

    /** Teleports a body to a random one of the positions at which bodies are put back. Does nothing if another body is there. */
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
     * Reads the pendulum's angle, releases a tooth of the wheel if the pendulum has passed its lowest point, and pushes the pendulum.
     * Returns its angular velocity in radians per second.
     */
    private double swing(EngineBodies<?> world, double dt) {
        Vector3dc bob = world.position(tumbling);
        double angle = StrictMath.atan2(bob.x(), shape.pivotY - bob.y());
        double speed = (angle - pendulumAngle) / dt;
        // A person who drags the bob over the top makes the angle jump by a whole turn; this must not release a tooth.
        if ((angle > 0) != (pendulumAngle > 0) && Math.abs(speed) * dt < 1) {
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
