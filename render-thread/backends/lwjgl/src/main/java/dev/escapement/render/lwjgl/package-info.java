/**
 * Draws the world with OpenGL 3.3 through LWJGL: in a window, or without a display into a picture.
 *
 * <p>Two threads share a window. The main thread opens it, waits for its events and stamps them; the render thread has the
 * OpenGL context and draws. Between them passes one immutable value, the size with its camera. A picture belongs to the
 * thread that opened it. Start reading at {@link dev.escapement.render.lwjgl.GlfwWindow}.
 */
@NullMarked
package dev.escapement.render.lwjgl;

import org.jspecify.annotations.NullMarked;
