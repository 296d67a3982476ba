package dev.escapement.render.lwjgl;

/**
 * Receives the user's events before the simulation, and may consume them, for example for cameras and menus.
 *
 * <p>Places are relative to the window: x from 0 at the left edge to 1 at the right, y from 0 at the top to 1 at the bottom. They exceed
 * these bounds if the pointer leaves the window while a button is held. Called on the thread in {@link GlfwWindow#waitAndDispatch}.
 *
 * @see GlfwWindow#listen(WindowListener)
 */
public interface WindowListener {

    /**
     * Receives a key that went down, repeats or came up. ESC closes the window unless this method consumes the event.
     *
     * @param nanos  when, by {@link System#nanoTime()}
     * @param key    GLFW's code
     * @param action {@code GLFW_PRESS}, {@code GLFW_REPEAT} or {@code GLFW_RELEASE}
     * @return true to consume the event: then the simulation does not get it
     */
    default boolean key(long nanos, int key, int action) {
        return false;
    }

    /**
     * Receives a pointer's button that went down or came up.
     *
     * @param nanos  when, by {@link System#nanoTime()}
     * @param button GLFW's number, 0 is the left one
     * @param action {@code GLFW_PRESS} or {@code GLFW_RELEASE}
     * @param x      the place, across the window
     * @param y      the place, down the window
     * @return true to consume the event: then the simulation does not get it
     */
    default boolean button(long nanos, int button, int action, double x, double y) {
        return false;
    }

    /**
     * Receives a move of the pointer.
     *
     * @param nanos when, by {@link System#nanoTime()}
     * @param x     the new place, across the window
     * @param y     the new place, down the window
     * @return true to consume the event: then the simulation does not get it
     */
    default boolean pointer(long nanos, double x, double y) {
        return false;
    }

    /**
     * Receives a turn of the wheel. A step is a notch of a wheel; touchpads send fractions.
     *
     * @param nanos when, by {@link System#nanoTime()}
     * @param x     steps to the right
     * @param y     steps away from the user
     * @return true to consume the event: then the simulation does not get it
     */
    default boolean wheel(long nanos, double x, double y) {
        return false;
    }
}
