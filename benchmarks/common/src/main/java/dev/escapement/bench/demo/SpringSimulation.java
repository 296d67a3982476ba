package dev.escapement.bench.demo;

import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.restore.StateHash;
import dev.escapement.physics.simulation.Movable;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.world.DragSpring;
import dev.escapement.state.capture.PoseWriter;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.joml.Vector3d;

/**
 * Masses on damped springs of 0.5 to 2 Hz above a grid, each mass spinning at a constant rate. A tick computes the exact solution for its
 * time step. The code is pure Java, allocates nothing per tick, and gives the same bits on every machine, because a tick uses only + - *.
 */
public final class SpringSimulation implements Simulation, Movable, Pushable, Restorable {

    private static final double DAMPING = 0.04;
    private static final double SPACING_METRES = 2;
    private static final double HEIGHT_METRES = 3;

    /**
     * The numbers per body in {@code state}: displacement and velocity for x, y and z, then the sine and the cosine of half the angle by
     * which the body has turned.
     */
    private static final int COMPONENTS_PER_BODY = 8;

    private final int bodies;
    private final int edge;
    private final double[] radiansPerSecond;
    private final double[] spinRadiansPerSecond;

    /**
     * Per body, the factors that one tick multiplies with: those of displacement and velocity, see {@link #solution}, then the sine and the
     * cosine of half the angle by which the body turns in a tick.
     */
    private final double[][] solutions;

    private final double[] state;

    // Reused, so that a tick allocates nothing.
    private final Vector3d place = new Vector3d();

    private final PushControls controls = new PushControls(this);
    private final DragSpring drag = new DragSpring();
    private double preparedDtSeconds;

    /** Creates masses that start up to a metre from their rest positions. A fixed seed chooses where. */
    public SpringSimulation(int bodies) {
        this.bodies = bodies;
        edge = Math.max(1, (int) Math.ceil(Math.sqrt(bodies)));
        radiansPerSecond = new double[bodies];
        spinRadiansPerSecond = new double[bodies];
        solutions = new double[bodies][];
        state = new double[COMPONENTS_PER_BODY * bodies];
        SplittableRandom random = new SplittableRandom(4);
        for (int body = 0; body < bodies; body++) {
            radiansPerSecond[body] = 2 * StrictMath.PI * random.nextDouble(0.5, 2);
            int at = COMPONENTS_PER_BODY * body;
            state[at] = random.nextDouble(-0.5, 0.5);
            state[at + 1] = random.nextDouble(-1, 1);
            state[at + 2] = random.nextDouble(-0.5, 0.5);
            state[at + 7] = 1;
            spinRadiansPerSecond[body] = random.nextDouble(-3, 3);
        }
    }

    /** Does nothing, because no state is bound to a thread. */
    @Override
    public void moveToCallingThread() {}

    @Override
    public void step(Tick tick) {
        double dt = tick.dtSeconds();
        controls.apply(tick.input(), dt);
        drag.begin(tick);
        // A drag names a body by its slot, because bodies here have no ids: body n is always in slot n.
        int held = drag.slot();
        if (held >= 0 && held < bodies && drag.pull(position(held).x, place.y, place.z)) {
            push(held, drag.dvx(), drag.dvy(), drag.dvz());
        }
        if (preparedDtSeconds != dt) {
            preparedDtSeconds = dt;
            Arrays.setAll(solutions, body -> solution(radiansPerSecond[body], spinRadiansPerSecond[body] / 2, dt));
        }
        for (int body = 0; body < bodies; body++) {
            stepBody(state, COMPONENTS_PER_BODY * body, solutions[body]);
        }
    }

    /**
     * Returns the factors s of the exact solution of x'' = -w^2 x - 0.04 w v after {@code seconds}: the new x is s[0] x + s[1] v, the new v
     * is s[2] x + s[3] v. s[4] and s[5] are the sine and the cosine of the angle {@code turn * seconds}. Uses StrictMath, because the
     * results of Math may differ between machines.
     */
    static double[] solution(double w, double turn, double seconds) {
        double decay = DAMPING / 2 * w;
        double damped = StrictMath.sqrt(w * w - decay * decay);
        double left = StrictMath.exp(-decay * seconds);
        double cos = left * StrictMath.cos(damped * seconds);
        double sin = left * StrictMath.sin(damped * seconds) / damped;
        return new double[] {
            cos + decay * sin,
            sin,
            -w * w * sin,
            cos - decay * sin,
            StrictMath.sin(turn * seconds),
            StrictMath.cos(turn * seconds)
        };
    }

    static void stepBody(double[] state, int at, double[] solution) {
        for (int axis = at; axis < at + 3; axis++) {
            double x = state[axis];
            double v = state[axis + 3];
            state[axis] = solution[0] * x + solution[1] * v;
            state[axis + 3] = solution[2] * x + solution[3] * v;
        }
        double sine = state[at + 6];
        double cosine = state[at + 7];
        state[at + 6] = sine * solution[5] + cosine * solution[4];
        state[at + 7] = cosine * solution[5] - sine * solution[4];
    }

    @Override
    public void capture(PoseWriter poses) {
        poses.bodyCount(bodies);
        for (int body = 0; body < bodies; body++) {
            Vector3d shown = position(body);
            float sine = (float) state[COMPONENTS_PER_BODY * body + 6];
            float cosine = (float) state[COMPONENTS_PER_BODY * body + 7];
            // The rotation of a body around the unit vector (0.36, 0.8, 0.48), as a quaternion.
            poses.set(
                    body,
                    (float) shown.x,
                    (float) shown.y,
                    (float) shown.z,
                    0.36f * sine,
                    0.8f * sine,
                    0.48f * sine,
                    cosine);
        }
    }

    @Override
    public long hash() {
        long hash = StateHash.start();
        for (double component : state) {
            hash = StateHash.add(hash, component);
        }
        return StateHash.finish(hash);
    }

    @Override
    public void save(StateBuffer to) {
        drag.save(to);
        for (double component : state) {
            to.put(component);
        }
    }

    @Override
    public void restore(StateBuffer from) {
        drag.restore(from);
        Arrays.setAll(state, i -> from.getDouble());
    }

    @Override
    public int bodyCount() {
        return bodies;
    }

    @Override
    public int pushableCount() {
        return bodies;
    }

    @Override
    public Vector3d position(int body) {
        int at = COMPONENTS_PER_BODY * body;
        int row = body / edge;
        int column = body % edge;
        double middle = (edge - 1) / 2.0;
        return place.set((column - middle) * SPACING_METRES, HEIGHT_METRES, (row - middle) * SPACING_METRES)
                .add(state[at], state[at + 1], state[at + 2]);
    }

    @Override
    public void push(int body, double dvx, double dvy, double dvz) {
        int at = COMPONENTS_PER_BODY * body;
        state[at + 3] += dvx;
        state[at + 4] += dvy;
        state[at + 5] += dvz;
    }

    /** Half the edge of a floor below all masses, in metres. */
    public double floorHalfExtent() {
        return Math.max(10, edge * SPACING_METRES / 2 + 2);
    }
}
