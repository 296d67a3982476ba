package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Jolt;
import dev.escapement.physics.platform.NativeResource;
import dev.escapement.physics.platform.Platform;
import dev.escapement.physics.platform.UnsupportedPlatformException;

/**
 * Loads Jolt's native library and prepares what all worlds of a JVM share. Call it before the first object of Jolt is created.
 *
 * <pre>{@code
 * JoltNatives.load();
 * PhysicsSystem system = new PhysicsSystem();
 * }</pre>
 *
 * <p>Any thread may load. Nothing is ever unloaded: another world may still need it.
 *
 * @see JoltWorldSimulation
 */
public final class JoltNatives {

    /** The version with which this was compiled: the binding reports its own only after the native library is loaded. */
    static final String VERSION = "0.9.9";

    private static boolean loaded;

    private JoltNatives() {}

    /**
     * Loads once per JVM; after a failure the next call tries again. A version of the binding that is not known here is reported to the
     * {@link System.Logger} {@code dev.escapement.physics} at WARNING.
     *
     * @throws UnsupportedPlatformException if there is no native library for the running platform
     */
    public static synchronized void load() {
        if (loaded) {
            return;
        }
        System.load(
                library(Platform.running(), VERSION).extract(JoltNatives.class).toString());
        JoltBinding.reportUnknown(Jolt.versionString());
        Jolt.registerDefaultAllocator();
        Jolt.installDefaultAssertCallback();
        Jolt.installDefaultTraceCallback();
        if (!Jolt.newFactory()) {
            throw new IllegalStateException("jolt-jni " + Jolt.versionString() + " could not create its factory");
        }
        Jolt.registerTypes();
        loaded = true;
    }

    /** The library of a platform, which jolt-jni has in a jar with a classifier. */
    static NativeResource library(Platform platform, String version) {
        return switch (platform.family() + ' ' + platform.architecture()) {
            case "linux amd64" -> library(platform, version, "jolt-jni-Linux64", "linux/x86-64", "libjoltjni.so");
            case "linux aarch64" ->
                library(platform, version, "jolt-jni-Linux_ARM64", "linux/aarch64", "libjoltjni.so");
            case "windows amd64" -> library(platform, version, "jolt-jni-Windows64", "windows/x86-64", "joltjni.dll");
            case "macos amd64" -> library(platform, version, "jolt-jni-MacOSX64", "osx/x86-64", "libjoltjni.dylib");
            case "macos aarch64" ->
                library(platform, version, "jolt-jni-MacOSX_ARM64", "osx/aarch64", "libjoltjni.dylib");
            default ->
                throw new UnsupportedPlatformException("jolt-jni offers no native library of Jolt for " + platform
                        + ": use Linux or macOS on amd64 or aarch64, or Windows on amd64");
        };
    }

    private static NativeResource library(
            Platform platform, String version, String artifact, String folder, String file) {
        String coordinates = "com.github.stephengold:" + artifact + ":" + version + ":ReleaseSp";
        return new NativeResource("Jolt", platform, coordinates, "/" + folder + "/com/github/stephengold/" + file);
    }
}
