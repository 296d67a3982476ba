package dev.escapement.physics.bullet;

import com.jme3.bullet.CollisionSpace;
import com.jme3.bullet.PhysicsSpace;
import com.jme3.bullet.objects.PhysicsRigidBody;
import com.jme3.bullet.util.NativeLibrary;
import dev.escapement.physics.platform.NativeResource;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import java.util.logging.Level;

/**
 * Loads Bullet's native library, unless the game has loaded it. Call it before you create the first object of Bullet.
 *
 * <pre>{@code
 * BulletNatives.load();
 * PhysicsSpace space = new UnboundPhysicsSpace(PhysicsSpace.BroadphaseType.DBVT);
 * }</pre>
 *
 * <p>Any thread may load. Nothing is ever unloaded: another world may still need it.
 *
 * @see BulletWorldSimulation
 */
public final class BulletNatives {

    private static boolean loaded;

    private BulletNatives() {}

    /**
     * Loads the library once per JVM; after a failure the next call tries again.
     *
     * @throws UnsupportedPlatformException if there is no native library for the running platform
     * @throws IllegalStateException        if Libbulletjme and jMonkeyEngine are both on the class path
     */
    public static synchronized void load() {
        if (loaded) {
            return;
        }
        refuseBoth(BulletNatives.class.getClassLoader());
        if (!isLoaded()) {
            NativeResource library =
                    library(NativeResource.runningPlatform(), NativeLibrary.expectedVersion + ":SpRelease");
            library.load(NativeLibrary.class);
            NativeLibrary.setStartupMessageEnabled(false);
        }
        if (PhysicsRigidBody.logger2.getLevel() == null) {
            PhysicsRigidBody.logger2.setLevel(Level.WARNING); // otherwise each new box logs a line
        }
        makeSpace();
        loaded = true;
    }

    static void refuseBoth(ClassLoader loader) {
        if (loader.getResource("com/jme3/system/JmeDesktopSystem.class") != null
                && loader.getResource("jme3utilities/lbj/Mesh.class") != null) { // of Libbulletjme, not of Minie
            throw new IllegalStateException(
                    "Libbulletjme and jMonkeyEngine are both on the class path, each with its own com.jme3.math, and"
                            + " break each other: exclude com.github.stephengold:* from escapement-engine-bullet, and add Minie");
        }
    }

    /** Returns whether the library was loaded. A second copy in the JVM would not know the objects of the first. */
    private static boolean isLoaded() {
        try {
            return NativeLibrary.countThreads() >= 0;
        } catch (UnsatisfiedLinkError e) {
            return false;
        }
    }

    /** Creates the first space of the JVM, which initialises shared data: two first spaces at the same time would crash the JVM. */
    private static void makeSpace() {
        CollisionSpace before = CollisionSpace.getCollisionSpace();
        new PhysicsSpace(PhysicsSpace.BroadphaseType.SIMPLE).destroy();
        CollisionSpace.setLocalThreadPhysicsSpace(before);
    }

    /** Returns the library that was loaded, by this class or by the game. For example, a double-precision library computes other bits. */
    static NativeResource loadedLibrary() {
        String kind = (NativeLibrary.isDoublePrecision() ? "Dp" : "Sp") + (NativeLibrary.isThreadSafe() ? "Mt" : "");
        String build = NativeLibrary.isDebug() ? "Debug" : "Release";
        return library(NativeResource.runningPlatform(), NativeLibrary.versionNumber() + ":" + kind + build);
    }

    static NativeResource library(String platform, String release) {
        return NativeResource.of(
                "Bullet",
                platform,
                "com.github.stephengold:Libbulletjme-%s:" + release,
                "linux amd64     Linux64       /native/linux/x86_64/libbulletjme.so",
                "linux aarch64   Linux_ARM64   /native/linux/arm64/libbulletjme.so",
                "windows amd64   Windows64     /native/windows/x86_64/bulletjme.dll",
                "windows aarch64 Windows_ARM64 /native/windows/arm64/bulletjme.dll",
                "macos amd64     MacOSX64      /native/osx/x86_64/libbulletjme.dylib",
                "macos aarch64   MacOSX_ARM64  /native/osx/arm64/libbulletjme.dylib");
    }
}
