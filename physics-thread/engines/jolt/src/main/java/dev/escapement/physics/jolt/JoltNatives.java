package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Jolt;
import dev.escapement.physics.platform.NativeResource;
import dev.escapement.physics.platform.UnsupportedPlatformException;

/**
 * Loads Jolt's native library, and prepares the state that all worlds of a JVM share. Does nothing if the game has done both. Call it
 * before the game creates Jolt's first object.
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

    /** The binding's version for which this adapter is compiled. The binding reports its own only after the native library is loaded. */
    static final String VERSION = "0.9.9";

    static final String RELEASE = VERSION + ":ReleaseSp";

    private static boolean loaded;

    private JoltNatives() {}

    /**
     * Loads the library once per JVM; after a failure the next call tries again.
     *
     * @throws UnsupportedPlatformException if there is no native library for the running platform
     * @throws IllegalStateException        if the binding has another version than 0.9.9
     */
    public static synchronized void load() {
        if (loaded) {
            return;
        }
        boolean isOfGame = isLoaded();
        if (!isOfGame) {
            library(NativeResource.runningPlatform(), RELEASE).load(Jolt.class);
        }
        requireVersion(Jolt.versionString());
        if (!isOfGame) {
            prepare();
        }
        loaded = true;
    }

    /** Returns whether the library was loaded. A second copy in the JVM would not know the objects of the first. */
    private static boolean isLoaded() {
        try {
            return !Jolt.versionString().isEmpty();
        } catch (UnsatisfiedLinkError e) {
            return false;
        }
    }

    /**
     * Throws an {@link IllegalStateException} for a version of the binding in which methods that this adapter calls are missing or have
     * other types.
     */
    static void requireVersion(String version) {
        if (!version.equals(VERSION)) {
            throw new IllegalStateException(
                    "jolt-jni " + version + " is on the class path, but Escapement's adapter calls "
                            + VERSION + ", and others lack some of these calls; depend on " + VERSION
                            + ", for the classes and the native library");
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

    /**
     * Returns the library that was loaded. A library with positions in double precision computes other bits than one in single precision.
     */
    static NativeResource loadedLibrary() {
        String precision = Jolt.isDoublePrecision() ? "Dp" : "Sp";
        return library(NativeResource.runningPlatform(), Jolt.versionString() + ":" + Jolt.buildType() + precision);
    }

    static NativeResource library(String platform, String release) {
        return switch (platform) {
            case "linux amd64" -> library(platform, release, "Linux64", "linux/x86-64", "libjoltjni.so");
            case "linux aarch64" -> library(platform, release, "Linux_ARM64", "linux/aarch64", "libjoltjni.so");
            case "windows amd64" -> library(platform, release, "Windows64", "windows/x86-64", "joltjni.dll");
            case "macos amd64" -> library(platform, release, "MacOSX64", "osx/x86-64", "libjoltjni.dylib");
            case "macos aarch64" -> library(platform, release, "MacOSX_ARM64", "osx/aarch64", "libjoltjni.dylib");
            default ->
                throw new UnsupportedPlatformException("jolt-jni offers no native library of Jolt for " + platform
                        + ": use Linux or macOS on amd64 or aarch64, or Windows on amd64");
        };
    }

    private static NativeResource library(
            String platform, String release, String artifact, String folder, String file) {
        String coordinates = "com.github.stephengold:jolt-jni-" + artifact + ":" + release;
        return new NativeResource("Jolt", platform, coordinates, "/" + folder + "/com/github/stephengold/" + file);
    }
}
