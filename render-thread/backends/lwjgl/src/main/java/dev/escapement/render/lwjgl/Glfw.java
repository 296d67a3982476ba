package dev.escapement.render.lwjgl;

import static org.lwjgl.glfw.GLFW.GLFW_ANY_PLATFORM;
import static org.lwjgl.glfw.GLFW.GLFW_CLIENT_API;
import static org.lwjgl.glfw.GLFW.GLFW_CONTEXT_CREATION_API;
import static org.lwjgl.glfw.GLFW.GLFW_CONTEXT_VERSION_MAJOR;
import static org.lwjgl.glfw.GLFW.GLFW_CONTEXT_VERSION_MINOR;
import static org.lwjgl.glfw.GLFW.GLFW_EGL_CONTEXT_API;
import static org.lwjgl.glfw.GLFW.GLFW_FALSE;
import static org.lwjgl.glfw.GLFW.GLFW_OPENGL_API;
import static org.lwjgl.glfw.GLFW.GLFW_OPENGL_CORE_PROFILE;
import static org.lwjgl.glfw.GLFW.GLFW_OPENGL_FORWARD_COMPAT;
import static org.lwjgl.glfw.GLFW.GLFW_OPENGL_PROFILE;
import static org.lwjgl.glfw.GLFW.GLFW_PLATFORM;
import static org.lwjgl.glfw.GLFW.GLFW_PLATFORM_NULL;
import static org.lwjgl.glfw.GLFW.GLFW_PLATFORM_X11;
import static org.lwjgl.glfw.GLFW.GLFW_SAMPLES;
import static org.lwjgl.glfw.GLFW.GLFW_TRUE;
import static org.lwjgl.glfw.GLFW.GLFW_VISIBLE;
import static org.lwjgl.glfw.GLFW.glfwCreateWindow;
import static org.lwjgl.glfw.GLFW.glfwDefaultWindowHints;
import static org.lwjgl.glfw.GLFW.glfwGetError;
import static org.lwjgl.glfw.GLFW.glfwGetPlatform;
import static org.lwjgl.glfw.GLFW.glfwInit;
import static org.lwjgl.glfw.GLFW.glfwInitHint;
import static org.lwjgl.glfw.GLFW.glfwTerminate;
import static org.lwjgl.glfw.GLFW.glfwWindowHint;

import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.system.Platform;
import org.lwjgl.system.linux.DynamicLinkLoader;

/**
 * GLFW's initialisation, which is global to the process. The first user initialises GLFW for a platform, and the last one terminates it;
 * after that, GLFW may be initialised for another platform.
 *
 * <p>Main thread only, where the system insists on one (macOS does).
 */
final class Glfw {

    /** The libraries by which GLFW finds the OpenGL driver on Linux. */
    private static final String[] DRIVER_LIBRARIES = {"libEGL.so.1", "libGLX.so.0", "libGL.so.1"};

    /** The number of samples of each pixel of a window, for smooth edges. GLFW takes the nearest number that the driver has. */
    private static final int SAMPLES = 4;

    private static int users;
    private static int usedPlatform;

    private Glfw() {}

    /**
     * Adds a user of GLFW, which must call {@link #release} at its end.
     *
     * @param platform a platform constant of GLFW; the null platform needs no display
     * @throws NoDisplayException    if GLFW cannot use the platform
     * @throws NoOpenGlException     if GLFW cannot be loaded
     * @throws IllegalStateException if GLFW is in use with another platform
     */
    static synchronized void acquire(int platform) {
        if (users > 0 && usedPlatform != platform) {
            throw new IllegalStateException("GLFW is in use with platform 0x" + Integer.toHexString(usedPlatform)
                    + "; close its windows and pictures before using platform 0x" + Integer.toHexString(platform));
        }
        if (users == 0) {
            initialise(platform);
            usedPlatform = platform;
        }
        users++;
    }

    /**
     * Keeps the driver's libraries loaded until the process ends. They register a destructor with every thread that had a context, to run
     * when the thread ends. But GLFW unloads the libraries when it terminates: a render thread that ends a moment later would then crash
     * the JVM.
     */
    private static void keepDriverLoaded() {
        if (Platform.get() == Platform.LINUX) {
            for (String library : DRIVER_LIBRARIES) {
                // The result is ignored, because GLFW reports a missing library.
                DynamicLinkLoader.dlopen(library, DynamicLinkLoader.RTLD_LAZY | DynamicLinkLoader.RTLD_NODELETE);
            }
        }
    }

    private static void initialise(int platform) {
        try {
            keepDriverLoaded();
            glfwInitHint(GLFW_PLATFORM, quiet(platform));
            if (!glfwInit()) {
                String reason = lastError();
                if (platform == GLFW_PLATFORM_NULL) {
                    throw new NoOpenGlException("cannot draw without a display: " + reason);
                }
                throw new NoDisplayException("cannot open a window, there is no display: " + reason
                        + "; start it where there is one, with xvfb-run -a java ..., or catch NoDisplayException and"
                        + " go on without a window");
            }
        } catch (LinkageError missing) {
            throw new NoOpenGlException("cannot load GLFW: " + oneLine(String.valueOf(missing.getMessage())), missing);
        }
    }

    /**
     * Returns the platform that GLFW is to try. On Linux GLFW tries Wayland first, whose library prints an error if there is no Wayland. If
     * the environment names no Wayland, only X11 is tried.
     */
    private static int quiet(int platform) {
        boolean noWayland = Platform.get() == Platform.LINUX
                && System.getenv("XDG_RUNTIME_DIR") == null
                && System.getenv("WAYLAND_DISPLAY") == null
                && System.getenv("WAYLAND_SOCKET") == null;
        return platform == GLFW_ANY_PLATFORM && noWayland ? GLFW_PLATFORM_X11 : platform;
    }

    /**
     * Creates a window with a context of OpenGL 3.3 core, current on no thread.
     *
     * @return its handle
     * @throws NoOpenGlException if there can be no such context
     */
    static long createWindow(String title, int width, int height) {
        glfwDefaultWindowHints();
        glfwWindowHint(GLFW_CLIENT_API, GLFW_OPENGL_API);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
        glfwWindowHint(GLFW_SAMPLES, SAMPLES);
        if (glfwGetPlatform() == GLFW_PLATFORM_NULL) {
            glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
            glfwWindowHint(GLFW_CONTEXT_CREATION_API, GLFW_EGL_CONTEXT_API);
        }
        long window = glfwCreateWindow(width, height, title, MemoryUtil.NULL, MemoryUtil.NULL);
        if (window == MemoryUtil.NULL) {
            throw new NoOpenGlException(
                    "cannot create an OpenGL 3.3 context of " + width + " x " + height + " pixels: " + lastError());
        }
        return window;
    }

    /** Returns GLFW's description of the last failure on this thread. */
    static String lastError() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer description = stack.mallocPointer(1);
            int code = glfwGetError(description);
            long text = description.get(0);
            return (text == MemoryUtil.NULL ? "GLFW gives no reason" : oneLine(MemoryUtil.memUTF8(text)))
                    + " (GLFW error 0x" + Integer.toHexString(code) + ")";
        }
    }

    static String oneLine(String text) {
        return text.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    /** Removes a user; after the last one, GLFW terminates. Call this once for each {@link #acquire}. */
    static synchronized void release() {
        if (--users == 0) {
            glfwTerminate();
        }
    }
}
