package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Jolt;
import dev.escapement.physics.platform.Platform;

/**
 * Loads Jolt's native library and prepares what all worlds of a JVM share.
 *
 * <p>Any thread may load. Nothing is ever unloaded: another world may still need it.
 */
final class JoltNatives {

    /** The binding's jars do not say their version, and a message needs it. */
    static final String VERSION = "0.9.9";

    private static boolean loaded;

    private JoltNatives() {}

    /** Loads once per JVM; after a failure the next call tries again. */
    static synchronized void load() {
        if (loaded) {
            return;
        }
        System.load(JoltLibrary.forPlatform(Platform.running())
                .extract(JoltNatives.class)
                .toString());
        Jolt.registerDefaultAllocator();
        Jolt.installDefaultAssertCallback();
        Jolt.installDefaultTraceCallback();
        if (!Jolt.newFactory()) {
            throw new IllegalStateException("Jolt " + VERSION + " could not create its factory");
        }
        Jolt.registerTypes();
        loaded = true;
    }
}
