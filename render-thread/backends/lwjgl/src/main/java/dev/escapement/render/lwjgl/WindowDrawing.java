package dev.escapement.render.lwjgl;

import dev.escapement.render.FrameView;

/**
 * Draws the frames of a window: your own OpenGL, or the {@link SceneDrawing} of this backend. The window owns the context and swaps the
 * buffers.
 *
 * <pre>{@code
 * WindowDrawing drawing = new WindowDrawing() {
 *     public void open() {
 *         renderer = new MyRenderer(); // compiles shaders, loads meshes
 *     }
 *
 *     public void draw(FrameView view, int width, int height) {
 *         renderer.draw(view.poses(), width, height);
 *     }
 * };
 * GlfwWindow window = GlfwWindow.open("My game", 1280, 720, drawing);
 * }</pre>
 *
 * <p>All methods are called on the render thread, with the window's context of OpenGL 3.3 core current.
 */
public interface WindowDrawing {

    /**
     * Creates the objects for drawing, once for each render loop, before its first frame. The window shows what this draws into
     * framebuffer 0 until that frame.
     *
     * @throws Exception if the objects cannot be created: the loop fails, and its {@code failure()} returns the cause
     */
    void open() throws Exception;

    /**
     * Draws a frame into framebuffer 0. The viewport is the one that the previous frame set.
     *
     * @param view   the world as this frame shows it, valid during this call
     * @param width  of the window's framebuffer, in pixels
     * @param height of the window's framebuffer, in pixels
     * @throws Exception if there can be no more frames: the loop fails, and its {@code failure()} returns the cause
     */
    void draw(FrameView view, int width, int height) throws Exception;

    /**
     * Frees the objects that {@link #open()} created. Called once for each {@code open}, also after it failed; not called when the process
     * ends.
     */
    default void close() {}
}
