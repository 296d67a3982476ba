package dev.escapement.physics.bullet;

/**
 * Says that Bullet's native library does not exist for the running platform, or is not on the class path.
 *
 * @see BulletSimulation
 */
public final class UnsupportedPlatformException extends RuntimeException {

    private static final long serialVersionUID = 1;

    UnsupportedPlatformException(String message) {
        super(message);
    }
}
