package example;

import static org.lwjgl.glfw.GLFW.GLFW_PLATFORM;
import static org.lwjgl.glfw.GLFW.GLFW_PLATFORM_X11;
import static org.lwjgl.glfw.GLFW.glfwGetError;
import static org.lwjgl.glfw.GLFW.glfwInit;
import static org.lwjgl.glfw.GLFW.glfwInitHint;
import static org.lwjgl.glfw.GLFW.glfwTerminate;

import java.util.Optional;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.system.Platform;

/**
 * Whether there is a display. All three engines open their windows with GLFW, and each complains in many lines of its own where GLFW
 * finds none: so it is asked before them.
 */
final class Display {

    private Display() {}

    /** Why there is none, in GLFW's words and in one line; empty if there is one. Before any engine uses GLFW. */
    static Optional<String> missing() {
        if (Platform.get() == Platform.LINUX && System.getenv("WAYLAND_DISPLAY") == null) {
            glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11); // or Wayland's library complains before X11 is tried
        }
        if (glfwInit()) {
            glfwTerminate(); // the engine initialises it again
            return Optional.empty();
        }
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer description = stack.mallocPointer(1);
            int code = glfwGetError(description);
            String reason = MemoryUtil.memUTF8Safe(description.get(0));
            return Optional.of(
                    (reason == null ? "GLFW error 0x" + Integer.toHexString(code) : reason.replaceAll("\\s+", " ")));
        }
    }
}
