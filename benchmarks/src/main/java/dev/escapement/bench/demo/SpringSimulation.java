package dev.escapement.bench.demo;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.replay.BodyStates;
import dev.escapement.physics.replay.Restorable;
import dev.escapement.physics.replay.StateBuffer;
import dev.escapement.physics.replay.StateHash;
import dev.escapement.physics.world.DragSpring;
import dev.escapement.state.capture.PoseWriter;
import java.util.List;
import java.util.SplittableRandom;
import org.joml.Quaterniond;
import org.joml.Vector3d;

/**
 * Masses on springs of 0.5 to 2 Hz above a grid, each spinning at a constant rate. Pure Java, allocates nothing per tick,
 * and the same bits on every machine: only + - * / sqrt run per tick.
 *
 * @see Spring
 */
public final class SpringSimulation implements Simulation, Pushable, BodyStates, Restorable {

    private static final List<String> COMPONENTS = List.of(
            "displacement x",
            "displacement y",
            "displacement z",
            "velocity x",
            "velocity y",
            "velocity z",
            "rotation x",
            "rotation y",
            "rotation z",
            "rotation w");

    private static final double SPACING_METRES = 2;
    private static final double HEIGHT_METRES = 3;

    private final Spring[] springs;
    private final Vector3d[] rest;
    private final Vector3d[] displacement;
    private final Vector3d[] velocity;
    private final Quaterniond[] rotation;
    private final double[] spinRadiansPerSecond;
    private final Quaterniond[] spinPerTick;
    private final Rk4 integrator = new Rk4();
    private final PushControls controls = new PushControls(this);
    private final DragSpring drag = new DragSpring();
    private final long[] stateBits;
    private double spinDtSeconds;

    /**
     * Creates masses at up to a metre from rest, from a fixed seed.
     *
     * @param bodies how many
     * @throws IllegalArgumentException if negative
     */
    public SpringSimulation(int bodies) {
        if (bodies < 0) {
            throw new IllegalArgumentException("there cannot be " + bodies + " bodies");
        }
        springs = new Spring[bodies];
        stateBits = new long[COMPONENTS.size() * bodies];
        rest = new Vector3d[bodies];
        displacement = new Vector3d[bodies];
        velocity = new Vector3d[bodies];
        rotation = new Quaterniond[bodies];
        spinRadiansPerSecond = new double[bodies];
        spinPerTick = new Quaterniond[bodies];
        SplittableRandom random = new SplittableRandom(4);
        int edge = Math.max(1, (int) Math.ceil(Math.sqrt(bodies)));
        for (int body = 0; body < bodies; body++) {
            int row = body / edge;
            int column = body % edge;
            double hertz = random.nextDouble(0.5, 2);
            double omega = 2 * StrictMath.PI * hertz;
            springs[body] = new Spring(1, omega * omega, 0.04 * omega);
            rest[body] = new Vector3d(
                    (column - (edge - 1) / 2.0) * SPACING_METRES,
                    HEIGHT_METRES,
                    (row - (edge - 1) / 2.0) * SPACING_METRES);
            displacement[body] =
                    new Vector3d(random.nextDouble(-0.5, 0.5), random.nextDouble(-1, 1), random.nextDouble(-0.5, 0.5));
            velocity[body] = new Vector3d();
            rotation[body] = new Quaterniond();
            spinRadiansPerSecond[body] = random.nextDouble(-3, 3);
            spinPerTick[body] = new Quaterniond();
        }
    }

    @Override
    public void step(Tick tick) {
        double dt = tick.dtSeconds();
        controls.apply(tick.input(), dt);
        drag.begin(tick);
        int held = drag.slot(); // the bodies are counted: each is in the slot of its number, for ever
        if (held >= 0 && held < springs.length && drag.pull(x(held), y(held), z(held))) {
            push(held, drag.dvx(), drag.dvy(), drag.dvz());
        }
        if (spinDtSeconds != dt) {
            prepareSpin(dt);
        }
        for (int body = 0; body < springs.length; body++) {
            integrator.step(springs[body], displacement[body], velocity[body], dt);
            rotation[body].mul(spinPerTick[body]).normalize();
        }
    }

    @Override
    public void capture(PoseWriter poses) {
        poses.bodyCount(springs.length);
        for (int body = 0; body < springs.length; body++) {
            Vector3d from = rest[body];
            Vector3d by = displacement[body];
            Quaterniond q = rotation[body];
            poses.set(
                    body,
                    (float) (from.x + by.x),
                    (float) (from.y + by.y),
                    (float) (from.z + by.z),
                    (float) q.x,
                    (float) q.y,
                    (float) q.z,
                    (float) q.w);
        }
    }

    @Override
    public long hash() {
        for (int body = 0; body < springs.length; body++) {
            readState(body, stateBits, COMPONENTS.size() * body);
        }
        return StateHash.finish(StateHash.addAll(StateHash.start(), stateBits));
    }

    @Override
    public List<String> stateComponents() {
        return COMPONENTS;
    }

    @Override
    public void readState(int body, long[] bits, int at) {
        read(displacement[body], bits, at);
        read(velocity[body], bits, at + 3);
        Quaterniond q = rotation[body];
        bits[at + 6] = Double.doubleToRawLongBits(q.x);
        bits[at + 7] = Double.doubleToRawLongBits(q.y);
        bits[at + 8] = Double.doubleToRawLongBits(q.z);
        bits[at + 9] = Double.doubleToRawLongBits(q.w);
    }

    @Override
    public void save(StateBuffer to) {
        controls.save(to);
        drag.save(to);
        for (int body = 0; body < springs.length; body++) {
            save(displacement[body], to);
            save(velocity[body], to);
            Quaterniond q = rotation[body];
            to.put(q.x).put(q.y).put(q.z).put(q.w);
        }
    }

    @Override
    public void restore(StateBuffer from) {
        controls.restore(from);
        drag.restore(from);
        for (int body = 0; body < springs.length; body++) {
            restore(displacement[body], from);
            restore(velocity[body], from);
            rotation[body].set(from.getDouble(), from.getDouble(), from.getDouble(), from.getDouble());
        }
    }

    @Override
    public int bodyCount() {
        return springs.length;
    }

    @Override
    public double x(int body) {
        return rest[body].x + displacement[body].x;
    }

    @Override
    public double y(int body) {
        return rest[body].y + displacement[body].y;
    }

    @Override
    public double z(int body) {
        return rest[body].z + displacement[body].z;
    }

    @Override
    public void push(int body, double dvx, double dvy, double dvz) {
        velocity[body].add(dvx, dvy, dvz);
    }

    @Override
    public long inputsApplied() {
        return controls.applied();
    }

    /**
     * Half the edge of a floor below all masses.
     *
     * @return metres
     */
    public double floorHalfExtent() {
        return Math.max(10, Math.ceil(Math.sqrt(springs.length)) * SPACING_METRES / 2 + 2);
    }

    private void prepareSpin(double dtSeconds) {
        for (int body = 0; body < springs.length; body++) {
            // StrictMath, and once: the sine of a library may differ between machines.
            double half = spinRadiansPerSecond[body] * dtSeconds / 2;
            double sin = StrictMath.sin(half);
            spinPerTick[body].set(0.36 * sin, 0.8 * sin, 0.48 * sin, StrictMath.cos(half)); // a unit axis
        }
        spinDtSeconds = dtSeconds;
    }

    private static void read(Vector3d v, long[] bits, int at) {
        bits[at] = Double.doubleToRawLongBits(v.x);
        bits[at + 1] = Double.doubleToRawLongBits(v.y);
        bits[at + 2] = Double.doubleToRawLongBits(v.z);
    }

    private static void save(Vector3d v, StateBuffer to) {
        to.put(v.x).put(v.y).put(v.z);
    }

    private static void restore(Vector3d v, StateBuffer from) {
        v.set(from.getDouble(), from.getDouble(), from.getDouble());
    }
}
