package dev.escapement.render.lwjgl;

/**
 * There is no display to open a window on. The message says in one line what is missing.
 *
 * @see GlfwWindow
 */
public final class NoDisplayException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NoDisplayException(String message) {
        super(message);
    }
}
