package dev.escapement.render.lwjgl;

/**
 * Thrown if this machine cannot draw with OpenGL 3.3. The message names the missing part, in one line.
 *
 * @see OffscreenPicture
 */
public final class NoOpenGlException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NoOpenGlException(String message) {
        super(message);
    }

    NoOpenGlException(String message, Throwable cause) {
        super(message, cause);
    }
}
