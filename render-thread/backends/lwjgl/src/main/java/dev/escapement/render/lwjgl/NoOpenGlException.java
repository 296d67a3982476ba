package dev.escapement.render.lwjgl;

/**
 * This machine cannot draw with OpenGL 3.3. The message names what is missing, in one line.
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
