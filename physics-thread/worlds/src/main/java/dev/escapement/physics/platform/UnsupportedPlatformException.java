package dev.escapement.physics.platform;

/**
 * Thrown if a native library does not exist for a platform, or is not on the class path.
 *
 * @see NativeResource#runningPlatform()
 */
public final class UnsupportedPlatformException extends RuntimeException {

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
