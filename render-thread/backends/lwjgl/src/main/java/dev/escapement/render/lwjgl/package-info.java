/**
 * Draws the world with OpenGL 3.3 through LWJGL: in a window, or without a display into a picture.
 *
 * <p>Two threads share a window. The main thread opens it, waits for its events and stamps them; the render thread has the
 * OpenGL context and draws. They exchange one immutable value, the window's size. A picture belongs to the
 * thread that opened it. Start reading at {@link dev.escapement.render.lwjgl.GlfwWindow}.
 *
 * <p>A window is drawn by a {@link dev.escapement.render.lwjgl.WindowDrawing}: your own, or the
 * {@link dev.escapement.render.lwjgl.SceneDrawing} of this package, a demonstration renderer.
 */
@NullMarked
package dev.escapement.render.lwjgl;

import org.jspecify.annotations.NullMarked;
