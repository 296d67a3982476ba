package dev.escapement.render.lwjgl;

import static org.lwjgl.glfw.GLFW.glfwDestroyWindow;
import static org.lwjgl.glfw.GLFW.glfwGetCurrentContext;
import static org.lwjgl.glfw.GLFW.glfwHideWindow;
import static org.lwjgl.glfw.GLFW.glfwMakeContextCurrent;

import org.jspecify.annotations.Nullable;
import org.lwjgl.glfw.Callbacks;
import org.lwjgl.opengl.GL;
import org.lwjgl.opengl.GL33C;
import org.lwjgl.opengl.GLCapabilities;
import org.lwjgl.system.MemoryUtil;

/**
 * A window of GLFW with its OpenGL context.
 *
 * <p>One thread opens and closes it. The context is current on at most one thread at a time, from {@link #makeCurrent()} to
 * {@link #release()}; only that thread may draw.
 */
final class GlContext implements AutoCloseable {

    private final long window;
    private @Nullable GLCapabilities capabilities;

    private GlContext(long window) {
        this.window = window;
    }

    /**
     * Opens a window with a context, and becomes a user of {@link Glfw}.
     *
     * @throws NoDisplayException if GLFW cannot use the platform
     * @throws NoOpenGlException  if there can be no context of OpenGL 3.3
     */
    static GlContext open(int platform, String title, int width, int height) {
        Glfw.acquire(platform);
        try {
            return new GlContext(Glfw.createWindow(title, width, height));
        } catch (RuntimeException | Error failed) {
            Glfw.release();
            throw failed;
        }
    }

    long window() {
        return window;
    }

    /**
     * Makes the context current on the calling thread.
     *
     * @throws NoOpenGlException if that is not possible
     */
    void makeCurrent() {
        glfwMakeContextCurrent(window);
        if (glfwGetCurrentContext() != window) {
            throw new NoOpenGlException("cannot make the OpenGL context current: " + Glfw.lastError());
        }
        if (capabilities == null) {
            capabilities = load();
        } else {
            GL.setCapabilities(capabilities);
        }
    }

    private static GLCapabilities load() {
        try {
            return GL.createCapabilities();
        } catch (LinkageError | IllegalStateException missing) {
            throw new NoOpenGlException(
                    "cannot load OpenGL: " + Glfw.oneLine(String.valueOf(missing.getMessage())), missing);
        }
    }

    void release() {
        GL.setCapabilities(null);
        glfwMakeContextCurrent(MemoryUtil.NULL);
    }

    /**
     * Checks whether OpenGL refused a call since the last check. Waits for the driver, so do not call this in every frame.
     *
     * @param doing what was attempted, for the message
     * @throws IllegalStateException if OpenGL refused something
     */
    static void check(String doing) {
        int error = GL33C.glGetError();
        if (error != GL33C.GL_NO_ERROR) {
            throw new IllegalStateException("OpenGL error 0x" + Integer.toHexString(error) + " when " + doing + " with "
                    + GL33C.glGetString(GL33C.GL_RENDERER));
        }
    }

    /**
     * Hides the window and frees its callbacks. The context and the use of GLFW remain with the render thread, which cannot be made to
     * release them.
     */
    void abandon() {
        Callbacks.glfwFreeCallbacks(window);
        glfwHideWindow(window);
    }

    /**
     * Destroys the window, its callbacks and the context with all its objects. Call it once, while the context is current on no other
     * thread.
     */
    @Override
    public void close() {
        if (glfwGetCurrentContext() == window) {
            release();
        }
        Callbacks.glfwFreeCallbacks(window);
        glfwDestroyWindow(window);
        Glfw.release();
    }
}
