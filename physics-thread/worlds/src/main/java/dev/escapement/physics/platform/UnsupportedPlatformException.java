package dev.escapement.physics.platform;

/**
 * Thrown if a native library does not exist for a platform, or is not on the class path, or needs a newer system.
 *
 * @see NativeResource#runningPlatform()
 */
public final class UnsupportedPlatformException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    /**
     * Creates the exception.
     *
     * @param message which library is missing for which platform, and what to do, in one line
     */
    public UnsupportedPlatformException(String message) {
        super(message);
    }
}
