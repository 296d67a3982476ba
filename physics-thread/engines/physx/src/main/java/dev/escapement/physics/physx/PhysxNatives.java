package dev.escapement.physics.physx;

import de.fabmax.physxjni.Loader;
import dev.escapement.physics.platform.NativeResource;
import dev.escapement.physics.platform.UnsupportedPlatformException;

/**
 * Loads PhysX's native library, unless the game has loaded it. Call it before you use the first class of PhysX: without the library, the
 * first use fails with a class-loading error, and every later use with another one.
 *
 * <pre>{@code
 * PhysxNatives.load();
 * PxFoundation foundation = PxTopLevelFunctions.CreateFoundation(version, allocator, errors);
 * }</pre>
 *
 * <p>Any thread may load. Nothing is ever unloaded: another scene may still need it.
 *
 * @see PhysxWorldSimulation
 */
public final class PhysxNatives {

    /** The version of the binding; a constant, because the binding does not expose its own. */
    static final String VERSION = "2.4.1";

    private PhysxNatives() {}

    /**
     * Loads the library once per JVM; while there is no library, the next call tries again.
     *
     * @throws UnsupportedPlatformException if there is no native library for the running platform
     */
    public static synchronized void load() {
        NativeResource library = library(NativeResource.runningPlatform());
        library.require(); // first, because the binding's loader does not try again after a failure
        try {
            Loader.load();
        } catch (IllegalStateException e) {
            throw library.explain(e);
        }
    }

    static NativeResource library(String platform) {
        return switch (platform) {
            case "linux amd64" -> library(platform, "linux", "linux/libPhysXJniBindings_64.so");
            case "windows amd64" -> library(platform, "windows", "windows/PhysXJniBindings_64.dll");
            case "macos amd64" -> library(platform, "macos", "macos/libPhysXJniBindings_64.dylib");
            case "macos aarch64" -> library(platform, "macos-arm64", "macosarm/libPhysXJniBindings_64.dylib");
            default ->
                throw new UnsupportedPlatformException("physx-jni offers no native library of PhysX for " + platform
                        + ": use Linux, Windows or macOS on amd64, or macOS on aarch64");
        };
    }

    private static NativeResource library(String platform, String classifier, String file) {
        String coordinates = "de.fabmax:physx-jni:" + VERSION + ":natives-" + classifier;
        return new NativeResource("PhysX", platform, coordinates, "/de/fabmax/physxjni/" + file);
    }
}
