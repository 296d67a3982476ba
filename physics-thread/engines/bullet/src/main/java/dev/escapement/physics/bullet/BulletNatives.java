package dev.escapement.physics.bullet;

import com.jme3.bullet.CollisionSpace;
import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.bullet.util.NativeLibrary;
import dev.escapement.physics.platform.Platform;
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
            System.load(BulletLibrary.forPlatform(Platform.running())
                    .extract(BulletNatives.class)
                    .toString());
            NativeLibrary.setStartupMessageEnabled(false);
        }
        if (PhysicsRigidBody.logger2.getLevel() == null) {
            PhysicsRigidBody.logger2.setLevel(Level.WARNING); // or each box that is made is a line on the console
        }
        makeSpace();
        loaded = true;
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
