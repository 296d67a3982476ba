package dev.escapement.physics.bullet;

import com.jme3.bullet.CollisionSpace;
import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.bullet.util.NativeLibrary;
import dev.escapement.physics.platform.Platform;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.logging.Level;

/**
 * Loads Bullet's native library, unless the game has done so.
 *
 * <p>Any thread may load. Nothing is ever unloaded: another world may still need it.
 */
final class BulletNatives {

    private static boolean loaded;

    private BulletNatives() {}

    /** Loads once per JVM; after a failure the next call tries again. */
    static synchronized void load() {
        if (loaded) {
            return;
        }
        if (!isLoaded()) {
            System.load(extract(Platform.running()).toString());
            NativeLibrary.setStartupMessageEnabled(false);
        }
        if (PhysicsRigidBody.logger2.getLevel() == null) {
            PhysicsRigidBody.logger2.setLevel(Level.WARNING); // or each box that is made is a line on the console
        }
        makeSpace();
        loaded = true;
    }

    static String coordinates(Platform platform) {
        return BulletLibrary.forPlatform(platform).coordinates(NativeLibrary.expectedVersion);
    }

    /** The operating system's loader needs a file of its own, it cannot read a jar. */
    static Path extract(Platform platform) {
        BulletLibrary library = BulletLibrary.forPlatform(platform);
        try (InputStream in = BulletNatives.class.getResourceAsStream(library.resource())) {
            if (in == null) {
                throw new UnsupportedPlatformException("Bullet has no native library for " + platform
                        + " on the class path: add " + library.coordinates(NativeLibrary.expectedVersion));
            }
            Path file = Files.createTempFile("escapement-", "-bulletjme");
            file.toFile().deleteOnExit();
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Bullet's native library could not be copied to " + System.getProperty("java.io.tmpdir"), e);
        }
    }

    /** Two copies of the library in one JVM would not know each other's objects. */
    private static boolean isLoaded() {
        try {
            return NativeLibrary.countThreads() >= 0;
        } catch (UnsatisfiedLinkError e) {
            return false;
        }
    }

    /** The first space of a JVM prepares what all share, and two first ones at the same time would crash it. */
    private static void makeSpace() {
        CollisionSpace before = CollisionSpace.getCollisionSpace();
        new PhysicsSpace(PhysicsSpace.BroadphaseType.SIMPLE).destroy();
        CollisionSpace.setLocalThreadPhysicsSpace(before);
    }
}
