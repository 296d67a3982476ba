package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Jolt;
import dev.escapement.physics.platform.NativeResource;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import java.lang.module.ModuleDescriptor.Version;
import java.util.ArrayList;
import java.util.List;

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

    /** The version for which this adapter is compiled: the oldest one to which it links. */
    static final String OLDEST = "0.9.9";

    /** The newest version to whose classes the adapter was linked in a test. */
    static final String NEWEST = "6.0.0";

    /** Has a native library from 6.0.0 on. */
    private static final String WINDOWS_ON_ARM = "windows aarch64";

    static final String RELEASE = OLDEST + ":ReleaseSp";

    /** The classes that call jolt-jni, whose calls are checked if it has another version than the adapter was linked to. */
    static final List<String> CALLERS = List.of(
            "AttachedBodies",
            "BodyIds$Placeholders",
            "BodyIds$Placeholders$1",
            "BodyReads",
            "JoltCalls",
            "JoltContacts",
            "JoltNatives",
            "JoltQueries",
            "JoltQueries$1",
            "JoltQueries$2",
            "JoltQueries$3",
            "JoltQueries$Copy",
            "JoltQueryBodies",
            "JoltQueryCalls",
            "JoltShapes",
            "JoltState",
            "JoltWorldSimulation",
            "JoltWorldSimulation$1");

    private static boolean loaded;
    private static boolean checked;

    private JoltNatives() {}

    /**
     * Loads the library once per JVM; after a failure the next call tries again.
     *
     * @throws UnsupportedPlatformException if there is no native library for the running platform
     * @throws IllegalStateException        if the binding lacks a call of this adapter
     */
    public static synchronized void load() {
        if (loaded) {
            return;
        }
        boolean isOfGame = isLoaded();
        if (!isOfGame) {
            String platform = NativeResource.runningPlatform();
            library(platform, platform.equals(WINDOWS_ON_ARM) ? NEWEST + ":ReleaseSp" : RELEASE)
                    .load(Jolt.class);
        }
        requireMembers();
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

    /** Throws an {@link IllegalStateException} if the binding lacks a call of this adapter. Checks once per JVM. */
    static synchronized void requireMembers() {
        if (!checked) {
            requireMembers(Jolt.versionString(), JoltNatives.class.getClassLoader());
            checked = true;
        }
    }

    /**
     * Throws an {@link IllegalStateException} that names a missing member. A version that a test has linked can only lack what differs
     * between the versions; for any other version, all calls are checked, and the log says that no test has linked it.
     */
    static void requireMembers(String version, ClassLoader classes) {
        List<String> missing = new ArrayList<>(JoltCalls.missing());
        boolean isLinked = compare(version, OLDEST) >= 0 && compare(version, NEWEST) <= 0;
        if (!isLinked) {
            for (String caller : CALLERS) {
                for (JoltMember member : JoltMember.referredBy(caller)) {
                    if (member.find(classes) == null) {
                        missing.add(member.toString());
                    }
                }
            }
        }
        if (!missing.isEmpty()) {
            throw new IllegalStateException(
                    "jolt-jni " + version + " lacks " + missing.get(0).replace("~", "")
                            + (missing.size() > 1 ? " and " + (missing.size() - 1) + " more" : "")
                            + ", which Escapement's adapter calls; depend on a version from " + OLDEST + " to " + NEWEST
                            + ", the same for the classes and the native library");
        }
        if (!isLinked) {
            System.getLogger("dev.escapement.physics")
                    .log(
                            System.Logger.Level.WARNING,
                            "jolt-jni " + version
                                    + " has all calls of Escapement's adapter, which is linked in tests to"
                                    + " versions from " + OLDEST + " to " + NEWEST
                                    + " only, and some may do something else now:"
                                    + " depend on one of these versions.");
        }
    }

    /** Compares versions as numbers, because 0.9.10 comes after 0.9.9. */
    static int compare(String version, String other) {
        return Version.parse(version).compareTo(Version.parse(other));
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
        return NativeResource.of(
                "Jolt",
                platform,
                "com.github.stephengold:jolt-jni-%s:" + release,
                "linux amd64     Linux64       /linux/x86-64/com/github/stephengold/libjoltjni.so",
                "linux aarch64   Linux_ARM64   /linux/aarch64/com/github/stephengold/libjoltjni.so",
                "windows amd64   Windows64     /windows/x86-64/com/github/stephengold/joltjni.dll",
                WINDOWS_ON_ARM + " Windows_ARM64 /windows/aarch64/com/github/stephengold/joltjni.dll",
                "macos amd64     MacOSX64      /osx/x86-64/com/github/stephengold/libjoltjni.dylib",
                "macos aarch64   MacOSX_ARM64  /osx/aarch64/com/github/stephengold/libjoltjni.dylib");
    }
}
