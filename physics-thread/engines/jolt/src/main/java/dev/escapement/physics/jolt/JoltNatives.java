package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Jolt;
import dev.escapement.physics.platform.NativeResource;
import dev.escapement.physics.platform.Platform;
import dev.escapement.physics.platform.UnsupportedPlatformException;

/**
 * Loads Jolt's native library and prepares what all worlds of a JVM share, as far as the game has not. Call it before the first object of
 * Jolt is created.
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

    static final String RELEASE = VERSION + ":ReleaseSp";

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
        boolean isOfGame = isLoaded();
        if (!isOfGame) {
            library(Platform.running(), RELEASE).load(Jolt.class, JoltNatives.class);
        }
        JoltBinding.reportUnknown(Jolt.versionString());
        if (!isOfGame || !JoltBinding.hasTypes()) {
            prepare();
        }
        loaded = true;
    }

    /** Whether the library was loaded. A second copy in the JVM would not know the objects of the first. */
    private static boolean isLoaded() {
        try {
            return !Jolt.versionString().isEmpty();
        } catch (UnsatisfiedLinkError e) {
            return false;
        }
    }

    private static void prepare() {
        Jolt.registerDefaultAllocator();
        Jolt.installDefaultAssertCallback();
        Jolt.installDefaultTraceCallback();
        if (!Jolt.newFactory()) {
            throw new IllegalStateException("jolt-jni " + Jolt.versionString() + " could not create its factory");
        }
        Jolt.registerTypes();
    }

    /** The library that was loaded: one with positions in double precision computes other bits. */
    static NativeResource loadedLibrary() {
        return library(Platform.running(), release(Jolt.versionString(), Jolt.buildType(), Jolt.isDoublePrecision()));
    }

    static String release(String version, String buildType, boolean doublePrecision) {
        return version + ":" + buildType + (doublePrecision ? "Dp" : "Sp");
    }

    /** The library of a platform, which jolt-jni has in a jar with a classifier. */
    static NativeResource library(Platform platform, String release) {
        return switch (platform.family() + ' ' + platform.architecture()) {
            case "linux amd64" -> library(platform, release, "Linux64", "linux/x86-64", "libjoltjni.so");
            case "linux aarch64" -> library(platform, release, "Linux_ARM64", "linux/aarch64", "libjoltjni.so");
            case "windows amd64" -> library(platform, release, "Windows64", "windows/x86-64", "joltjni.dll");
            case "windows aarch64" ->
                library(
                        platform,
                        release.equals(RELEASE) ? "6.0.0:ReleaseSp" : release, // the first that has it
                        "Windows_ARM64",
                        "windows/aarch64",
                        "joltjni.dll");
            case "macos amd64" -> library(platform, release, "MacOSX64", "osx/x86-64", "libjoltjni.dylib");
            case "macos aarch64" -> library(platform, release, "MacOSX_ARM64", "osx/aarch64", "libjoltjni.dylib");
            default ->
                throw new UnsupportedPlatformException("jolt-jni offers no native library of Jolt for " + platform
                        + ": use Linux, Windows or macOS on amd64 or aarch64");
        };
    }

    private static NativeResource library(
            Platform platform, String release, String artifact, String folder, String file) {
        String coordinates = "com.github.stephengold:jolt-jni-" + artifact + ":" + release;
        return new NativeResource("Jolt", platform, coordinates, "/" + folder + "/com/github/stephengold/" + file);
    }
}
