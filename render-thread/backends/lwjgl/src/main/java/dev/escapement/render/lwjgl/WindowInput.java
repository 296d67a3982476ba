package dev.escapement.render.lwjgl;

import static org.lwjgl.glfw.GLFW.GLFW_KEY_UNKNOWN;
import static org.lwjgl.glfw.GLFW.GLFW_PRESS;
import static org.lwjgl.glfw.GLFW.GLFW_RELEASE;

import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputSink;
import org.joml.Vector2f;

/**
 * Translates GLFW's events into input events of the simulation.
 *
 * <p>Main thread only.
 */
final class WindowInput {

    private static final int POINTER = 0;

    private final InputSink sink;
    private final Vector2f floor = new Vector2f();
    private int heldButtons;

    WindowInput(InputSink sink) {
        this.sink = sink;
    }

    void key(long nanos, int key, int action) {
        if (key == GLFW_KEY_UNKNOWN) {
            return;
        }
        if (action == GLFW_PRESS) {
            sink.offer(nanos, InputKind.KEY_DOWN, key, 0, 0);
        } else if (action == GLFW_RELEASE) {
            sink.offer(nanos, InputKind.KEY_UP, key, 0, 0);
        }
    }

    /**
     * Offers a move of the pointer, with its place in the window. A place on the floor would be of no use to a game that rotates a camera
     * with the pointer.
     */
    void pointer(long nanos, double x, double y) {
        sink.offer(nanos, InputKind.POINTER_MOVED, POINTER, (float) x, (float) y);
    }

    void wheel(long nanos, double x, double y) {
        sink.offer(nanos, InputKind.WHEEL, POINTER, (float) x, (float) y);
    }

    /**
     * Offers a button's event with the point of the floor that is under the pointer. A press on the sky has no such point and is dropped. A
     * release on the sky ends the press at the last point.
     *
     * @param x -1 at the left edge, 1 at the right
     * @param y -1 at the bottom edge, 1 at the top
     */
    void buttonOnFloor(long nanos, int button, int action, Camera camera, float x, float y) {
        if (camera.floorPoint(x, y, floor) || action == GLFW_RELEASE) {
            button(nanos, button, action, floor.x, floor.y);
        }
    }

    /** Offers a button's event with the place ({@code x}, {@code y}). */
    void button(long nanos, int button, int action, float x, float y) {
        int bit = 1 << button;
        if (action == GLFW_PRESS) {
            heldButtons |= bit;
            sink.offer(nanos, InputKind.POINTER_DOWN, button, x, y);
        } else if (action == GLFW_RELEASE && (heldButtons & bit) != 0) {
            heldButtons &= ~bit;
            sink.offer(nanos, InputKind.POINTER_UP, button, x, y);
        }
    }
}
