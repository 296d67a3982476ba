package dev.escapement.render.lwjgl;

import static org.lwjgl.glfw.GLFW.GLFW_PLATFORM_WAYLAND;
import static org.lwjgl.glfw.GLFW.glfwGetMonitorPos;
import static org.lwjgl.glfw.GLFW.glfwGetMonitors;
import static org.lwjgl.glfw.GLFW.glfwGetPlatform;
import static org.lwjgl.glfw.GLFW.glfwGetPrimaryMonitor;
import static org.lwjgl.glfw.GLFW.glfwGetVideoMode;
import static org.lwjgl.glfw.GLFW.glfwGetWindowPos;
import static org.lwjgl.glfw.GLFW.glfwGetWindowSize;

import java.util.OptionalDouble;
import org.lwjgl.PointerBuffer;
import org.lwjgl.glfw.GLFWVidMode;
import org.lwjgl.system.MemoryUtil;

/**
 * Finds the monitor that a window is on.
 *
 * <p>Main thread only.
 */
final class Monitors {

    /** Devices that do not know their rate report 0 or 1. */
    private static final int MIN_HERTZ = 20;

    private Monitors() {}

    /** The rate of the monitor that shows the middle of a window; empty if there is none, or it reports none. */
    static OptionalDouble refreshHertz(long window) {
        long monitor = showing(window);
        GLFWVidMode mode = monitor == MemoryUtil.NULL ? null : glfwGetVideoMode(monitor);
        return mode == null || mode.refreshRate() < MIN_HERTZ
                ? OptionalDouble.empty()
                : OptionalDouble.of(mode.refreshRate());
    }

    /** The rate of the fastest monitor, on which the window may be now or later; empty if none reports one. */
    static OptionalDouble fastestHertz() {
        PointerBuffer monitors = glfwGetMonitors();
        double max = 0;
        for (int i = 0; monitors != null && i < monitors.limit(); i++) {
            GLFWVidMode mode = glfwGetVideoMode(monitors.get(i));
            max = mode == null ? max : Math.max(max, mode.refreshRate());
        }
        return max < MIN_HERTZ ? OptionalDouble.empty() : OptionalDouble.of(max);
    }

    private static long showing(long window) {
        PointerBuffer monitors = glfwGetMonitors();
        if (monitors == null || glfwGetPlatform() == GLFW_PLATFORM_WAYLAND) {
            return glfwGetPrimaryMonitor(); // Wayland does not report where a window is
        }
        int[] x = new int[1];
        int[] y = new int[1];
        int[] width = new int[1];
        int[] height = new int[1];
        glfwGetWindowPos(window, x, y);
        glfwGetWindowSize(window, width, height);
        int middleX = x[0] + width[0] / 2;
        int middleY = y[0] + height[0] / 2;
        for (int i = 0; i < monitors.limit(); i++) {
            GLFWVidMode mode = glfwGetVideoMode(monitors.get(i));
            glfwGetMonitorPos(monitors.get(i), x, y);
            int right = middleX - x[0];
            int down = middleY - y[0];
            if (mode != null && right >= 0 && right < mode.width() && down >= 0 && down < mode.height()) {
                return monitors.get(i);
            }
        }
        return glfwGetPrimaryMonitor();
    }
}
