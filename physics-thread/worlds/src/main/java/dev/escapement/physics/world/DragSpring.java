package dev.escapement.physics.world;

import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.BodyId;

/**
 * A damped spring between the body that {@link DragInput} holds and the place to which the body is pulled. Each {@link WorldSimulation} has
 * a spring; a simulation of another kind can create one:
 *
 * <pre>{@code
 * spring.begin(tick);                                              // in each step, before bodies are moved
 * if (spring.isHeld(id) && spring.pull(x, y, z)) {                 // where the body is
 *     velocity.add(spring.dvx(), spring.dvy(), spring.dvz());
 * }
 * }</pre>
 *
 * <p>Physics thread only. Allocates nothing, except for saving. Its forces depend only on the input and the positions.
 */
public final class DragSpring {

    /** The id of no body, because 0 has an even generation and bodies have ids with odd ones. */
    private static final long NONE = 0;

    private static final double STIFFNESS_PER_SECOND_SQUARED = 80;
    private static final double DAMPING_PER_SECOND = 2 * Math.sqrt(STIFFNESS_PER_SECOND_SQUARED);
    private static final double MAX_METRES_PER_SECOND_SQUARED = 120;

    /** The engine's zero, from which it measures positions; metres in the world, by axis. */
    double[] zero = new double[3];

    private long held = NONE;

    private int dragger = DragInput.NOBODY;

    // The target of the pull. NaN from a HOLD event on, until the input sets a target, or the first pull makes the
    // body's place the target.
    private double x;
    private double y;
    private double z;
    // Parts of the next target that come in events of their own: its height, and what x and z lose as floats.
    private double nextY;
    private double restX;
    private double restZ;

    // The body's place at the last pull, from which its speed is computed; NaN before the first.
    private double lastX;
    private double lastY;
    private double lastZ;

    private double dtSeconds;
    private double dvx;
    private double dvy;
    private double dvz;

    /** Creates a spring that holds nothing. */
    public DragSpring() {}

    /**
     * Takes the input of a tick.
     *
     * @param tick the tick that is stepped
     */
    public void begin(Tick tick) {
        dtSeconds = tick.dtSeconds();
        InputFrame input = tick.input();
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            dragger = DragInput.dragger(dragger, input, i);
            if (dragger == DragInput.NOBODY) {
                held = NONE;
            } else if (event.kind() == InputKind.APPLICATION && event.sender() == dragger) {
                take(event);
            }
        }
    }

    private void take(InputEvent event) {
        switch (event.code()) {
            case DragInput.HOLD -> {
                held = DragInput.body(event);
                x = Double.NaN;
                lastX = Double.NaN;
            }
            case DragInput.REMAINDER -> {
                restX = event.x();
                restZ = event.y();
            }
            case DragInput.HEIGHT -> nextY = (double) event.x() + event.y();
            case DragInput.TO -> {
                x = event.x() + restX;
                y = nextY;
                z = event.y() + restZ;
            }
            default -> {
                // Ignores an event of the application.
            }
        }
    }

    /** {@return the slot of the held body, which may be gone; -1 if none is held} */
    public int slot() {
        return held == NONE ? -1 : BodyId.slot(held);
    }

    /**
     * {@return whether a given body is held}
     *
     * @param body its {@link BodyId}
     */
    public boolean isHeld(long body) {
        return held != NONE && DragInput.isSame(held, body);
    }

    /**
     * Pulls the held body. Call it once in a tick.
     *
     * @param bodyX x of its position, metres, in the engine's coordinates
     * @param bodyY y of its position, metres
     * @param bodyZ z of its position, metres
     * @return whether to change the body's velocity, by {@link #dvx()}, {@link #dvy()} and {@link #dvz()}
     */
    public boolean pull(double bodyX, double bodyY, double bodyZ) {
        return pullInWorld(zero[0] + bodyX, zero[1] + bodyY, zero[2] + bodyZ);
    }

    private boolean pullInWorld(double bodyX, double bodyY, double bodyZ) {
        if (Double.isNaN(lastX)) {
            lastX = bodyX;
            lastY = bodyY;
            lastZ = bodyZ;
        }
        if (Double.isNaN(x)) {
            x = bodyX;
            y = bodyY;
            z = bodyZ;
        }
        double ax = acceleration(x - bodyX, (bodyX - lastX) / dtSeconds);
        double ay = acceleration(y - bodyY, (bodyY - lastY) / dtSeconds);
        double az = acceleration(z - bodyZ, (bodyZ - lastZ) / dtSeconds);
        lastX = bodyX;
        lastY = bodyY;
        lastZ = bodyZ;
        double scale = dtSeconds * Math.min(1, MAX_METRES_PER_SECOND_SQUARED / Math.sqrt(ax * ax + ay * ay + az * az));
        dvx = ax * scale;
        dvy = ay * scale;
        dvz = az * scale;
        return scale > 0; // false if a place is NaN or infinite
    }

    private static double acceleration(double metres, double metresPerSecond) {
        return STIFFNESS_PER_SECOND_SQUARED * metres - DAMPING_PER_SECOND * metresPerSecond;
    }

    /** {@return the change of velocity by the last pull along x, in metres per second} */
    public double dvx() {
        return dvx;
    }

    /** {@return the change of velocity by the last pull along y, in metres per second} */
    public double dvy() {
        return dvy;
    }

    /** {@return the change of velocity by the last pull along z, in metres per second} */
    public double dvz() {
        return dvz;
    }

    /**
     * Saves the held body, its dragger, and the target of the pull.
     *
     * @param to takes the state
     */
    public void save(StateBuffer to) {
        to.put(held).put(x).put(y).put(z).put(nextY).put(lastX).put(lastY).put(lastZ);
        to.put((long) dragger).put(restX).put(restZ);
    }

    /**
     * Restores a state that {@link #save} saved.
     *
     * @param from the saved state
     */
    public void restore(StateBuffer from) {
        held = from.getLong();
        x = from.getDouble();
        y = from.getDouble();
        z = from.getDouble();
        nextY = from.getDouble();
        lastX = from.getDouble();
        lastY = from.getDouble();
        lastZ = from.getDouble();
        dragger = (int) from.getLong();
        restX = from.getDouble();
        restZ = from.getDouble();
    }
}
