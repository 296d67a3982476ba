package dev.escapement.physics.sdl;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if SDL cannot be used: there is no native library for the running platform, or it does not start.
 *
 * @see SdlGamepads
 */
public final class SdlUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1;

    SdlUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
