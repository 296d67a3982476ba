package dev.escapement.bench.demo;

import dev.escapement.physics.replay.StateBuffer;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputState;

/**
 * Turns input into pushes, the same in every engine: the arrow keys (or W, A, S, D) push everything while held, the space
 * bar tosses everything once, a pointer's button blasts what is near, and application events push one body, or drag it as a spring would.
 *
 * <p>Physics thread only. Which keys are held is read from each tick's input and is no state of these controls: a key may come up while
 * simulated time stands still, or be held from before a restart.
 *
 * @see Pushable
 */
public final class PushControls {

    /** Code of an application event that pushes body {@code x} modulo the body count by {@code y}, upwards and sideways. */
    public static final int PUSH_ONE = 1;

    /** Code of an application event that takes hold of body {@code x}; until it is told where to, the body is held where it is. */
    public static final int DRAG_BODY = 2;

    /** Code of an application event: the body held is dragged to {@code x} and, as {@code y}, z. */
    public static final int DRAG_TO = 3;

    /** Code of an application event: the body held is dragged to the height {@code x}. */
    public static final int DRAG_TO_HEIGHT = 4;

    /** Code of an application event that lets go of the body held. */
    public static final int DRAG_END = 5;

    /** Key codes are those of GLFW. */
    private static final int KEY_SPACE = 32;

    private static final int KEY_A = 65;
    private static final int KEY_D = 68;
    private static final int KEY_S = 83;
    private static final int KEY_W = 87;
    private static final int KEY_RIGHT = 262;
    private static final int KEY_LEFT = 263;
    private static final int KEY_DOWN = 264;
    private static final int KEY_UP = 265;

    private static final double WIND_METRES_PER_SECOND_SQUARED = 15;
    private static final double TOSS_METRES_PER_SECOND = 6;
    private static final double BLAST_METRES_PER_SECOND = 12;
    private static final double BLAST_RADIUS_METRES = 4;

    private final Pushable world;
    private final Drag drag = new Drag();
    private long applied;

    /**
     * Creates controls that have applied nothing.
     *
     * @param world what is pushed
     */
    public PushControls(Pushable world) {
        this.world = world;
    }

    /**
     * Applies the input of a tick, before the engine's own step.
     *
     * @param input     the tick's events, and what is held after them
     * @param dtSeconds the tick's length
     */
    public void apply(InputFrame input, double dtSeconds) {
        for (int i = 0; i < input.size(); i++) {
            apply(input.event(i));
            applied++;
        }
        InputState held = input.state();
        double windX = either(held, KEY_RIGHT, KEY_D) - either(held, KEY_LEFT, KEY_A);
        double windZ = either(held, KEY_DOWN, KEY_S) - either(held, KEY_UP, KEY_W);
        if (windX != 0 || windZ != 0) {
            double dv = WIND_METRES_PER_SECOND_SQUARED * dtSeconds;
            pushAll(windX * dv, 0, windZ * dv);
        }
        drag.pull(world, dtSeconds);
    }

    /**
     * How many events were applied since the start.
     *
     * @return events
     */
    public long applied() {
        return applied;
    }

    /**
     * Saves how much was applied, and what is being dragged.
     *
     * @param to where to
     */
    public void save(StateBuffer to) {
        to.put(applied);
        drag.save(to);
    }

    /**
     * Restores what {@link #save} saved.
     *
     * @param from where from
     */
    public void restore(StateBuffer from) {
        applied = from.getLong();
        drag.restore(from);
    }

    private void apply(InputEvent event) {
        switch (event.kind()) {
            case KEY_DOWN -> {
                if (event.code() == KEY_SPACE) {
                    pushAll(0, TOSS_METRES_PER_SECOND, 0);
                }
            }
            case POINTER_DOWN -> blast(event.x(), event.y());
            case APPLICATION -> applyOwn(event);
            case KEY_UP, POINTER_UP, POINTER_MOVED, BUTTON_DOWN, BUTTON_UP, AXIS_MOVED -> {
                // a drag comes as application events, and there is no controller
            }
        }
    }

    private static int either(InputState held, int arrow, int letter) {
        return held.isKeyDown(arrow) || held.isKeyDown(letter) ? 1 : 0;
    }

    private void pushAll(double dvx, double dvy, double dvz) {
        for (int body = 0; body < world.bodyCount(); body++) {
            world.push(body, dvx, dvy, dvz);
        }
    }

    private void blast(double x, double z) {
        for (int body = 0; body < world.bodyCount(); body++) {
            double dx = world.x(body) - x;
            double dz = world.z(body) - z;
            double distance = Math.sqrt(dx * dx + dz * dz);
            if (distance < BLAST_RADIUS_METRES) {
                double dv = BLAST_METRES_PER_SECOND * (1 - distance / BLAST_RADIUS_METRES);
                double scale = distance < 1e-6 ? 0 : dv / distance;
                world.push(body, dx * scale, dv, dz * scale);
            }
        }
    }

    private void applyOwn(InputEvent event) {
        if (world.bodyCount() == 0) {
            return;
        }
        switch (event.code()) {
            case PUSH_ONE -> pushOne(Math.floorMod(Math.round(event.x()), world.bodyCount()), event.y());
            case DRAG_BODY -> drag.hold(Math.floorMod(Math.round(event.x()), world.bodyCount()), world);
            case DRAG_TO -> drag.to(event.x(), drag.y, event.y());
            case DRAG_TO_HEIGHT -> drag.to(drag.x, event.x(), drag.z);
            case DRAG_END -> drag.body = Drag.NONE;
            default -> {
                // an event of another program's
            }
        }
    }

    /** Four directions in turn, so that pushes do not add up to a drift. */
    private void pushOne(int body, double dv) {
        double side = (body & 1) == 0 ? dv : -dv;
        world.push(body, (body & 2) == 0 ? side : 0, dv, (body & 2) == 0 ? 0 : side);
    }

    /** A damped spring between a body and a place. */
    private static final class Drag {

        static final long NONE = -1;

        private static final double STIFFNESS_PER_SECOND_SQUARED = 80;
        private static final double DAMPING_PER_SECOND = 2 * Math.sqrt(STIFFNESS_PER_SECOND_SQUARED);
        private static final double MOST_METRES_PER_SECOND_SQUARED = 120;

        private long body = NONE;
        private double x;
        private double y;
        private double z;
        private double lastX;
        private double lastY;
        private double lastZ;

        void hold(int newBody, Pushable world) {
            body = newBody;
            to(world.x(newBody), world.y(newBody), world.z(newBody));
            lastX = x;
            lastY = y;
            lastZ = z;
        }

        void to(double newX, double newY, double newZ) {
            x = newX;
            y = newY;
            z = newZ;
        }

        void pull(Pushable world, double dtSeconds) {
            if (body == NONE) {
                return;
            }
            int held = (int) body;
            double nowX = world.x(held);
            double nowY = world.y(held);
            double nowZ = world.z(held);
            double ax = acceleration(x - nowX, (nowX - lastX) / dtSeconds);
            double ay = acceleration(y - nowY, (nowY - lastY) / dtSeconds);
            double az = acceleration(z - nowZ, (nowZ - lastZ) / dtSeconds);
            double scale =
                    dtSeconds * Math.min(1, MOST_METRES_PER_SECOND_SQUARED / Math.sqrt(ax * ax + ay * ay + az * az));
            if (scale > 0) {
                world.push(held, ax * scale, ay * scale, az * scale);
            }
            lastX = nowX;
            lastY = nowY;
            lastZ = nowZ;
        }

        private static double acceleration(double metres, double metresPerSecond) {
            return STIFFNESS_PER_SECOND_SQUARED * metres - DAMPING_PER_SECOND * metresPerSecond;
        }

        void save(StateBuffer to) {
            to.put(body).put(x).put(y).put(z).put(lastX).put(lastY).put(lastZ);
        }

        void restore(StateBuffer from) {
            body = from.getLong();
            to(from.getDouble(), from.getDouble(), from.getDouble());
            lastX = from.getDouble();
            lastY = from.getDouble();
            lastZ = from.getDouble();
        }
    }
}
