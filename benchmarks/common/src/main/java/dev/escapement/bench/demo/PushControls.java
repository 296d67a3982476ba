package dev.escapement.bench.demo;

import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputState;
import org.joml.Vector3dc;

/**
 * Turns input into pushes, the same in every engine. The arrow keys (or W, A, S, D) push all bodies while held, the space bar tosses all
 * once, a pointer's button pushes nearby bodies away, and application events push one body.
 *
 * <p>Physics thread only. Which keys are held is read from each tick's input and not stored here, because a key may be released while
 * simulated time is paused and no tick receives the event.
 *
 * @param world whose bodies are pushed
 */
public record PushControls(Pushable world) {

    /**
     * The code of an application event that pushes one body. The event's {@code x} is the body's number, modulo the body count; {@code y}
     * is the speed in m/s, at most 100, by which the body is pushed upwards and to one side.
     */
    public static final int PUSH_ONE = 1;

    /** Key codes of GLFW. */
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

    /** The maximum speed of a push. Any program may send such an event, which must not throw a body out of the world. */
    static final double MAX_PUSH_METRES_PER_SECOND = 100;

    /** Applies the events of a tick, then the held keys and buttons. Call it before the engine's own step. */
    public void apply(InputFrame input, double dtSeconds) {
        for (int i = 0; i < input.size(); i++) {
            apply(input.event(i));
        }
        InputState held = input.state();
        double windX = either(held, KEY_RIGHT, KEY_D) - either(held, KEY_LEFT, KEY_A);
        double windZ = either(held, KEY_DOWN, KEY_S) - either(held, KEY_UP, KEY_W);
        if (windX != 0 || windZ != 0) {
            double dv = WIND_METRES_PER_SECOND_SQUARED * dtSeconds;
            pushAll(windX * dv, 0, windZ * dv);
        }
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
            default -> {} // the other kinds do not push: the world handles drags, and the camera the mouse wheel
        }
    }

    private static int either(InputState held, int arrow, int letter) {
        return held.isKeyDown(arrow) || held.isKeyDown(letter) ? 1 : 0;
    }

    private void pushAll(double dvx, double dvy, double dvz) {
        for (int body = 0; body < world.pushableCount(); body++) {
            world.push(body, dvx, dvy, dvz);
        }
    }

    private void blast(double x, double z) {
        for (int body = 0; body < world.pushableCount(); body++) {
            Vector3dc at = world.position(body);
            double dx = at.x() - x;
            double dz = at.z() - z;
            double distance = Math.sqrt(dx * dx + dz * dz);
            if (distance < BLAST_RADIUS_METRES) {
                double dv = BLAST_METRES_PER_SECOND * (1 - distance / BLAST_RADIUS_METRES);
                double scale = distance < 1e-6 ? 0 : dv / distance;
                world.push(body, dx * scale, dv, dz * scale);
            }
        }
    }

    private void applyOwn(InputEvent event) {
        if (event.code() == PUSH_ONE && world.pushableCount() > 0) {
            double dv = Math.max(-MAX_PUSH_METRES_PER_SECOND, Math.min(MAX_PUSH_METRES_PER_SECOND, event.y()));
            pushOne(Math.floorMod(Math.round(event.x()), world.pushableCount()), Double.isNaN(dv) ? 0 : dv);
        }
    }

    /**
     * Pushes a body up and to one of four sides. The side depends on the body's number, so that pushes of many bodies do not add up to a
     * drift.
     */
    private void pushOne(int body, double dv) {
        double side = (body & 1) == 0 ? dv : -dv;
        world.push(body, (body & 2) == 0 ? side : 0, dv, (body & 2) == 0 ? 0 : side);
    }
}
