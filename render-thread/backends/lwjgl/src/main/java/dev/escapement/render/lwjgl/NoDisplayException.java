package dev.escapement.render.lwjgl;

/**
 * Thrown if there is no display to open a window on. The message names the missing part, in one line.
 *
 * @see GlfwWindow
 */
public final class NoDisplayException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NoDisplayException(String message) {
        super(message);
    }
}
