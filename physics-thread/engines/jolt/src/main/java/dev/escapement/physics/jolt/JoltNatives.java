package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Jolt;
import dev.escapement.physics.platform.Platform;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

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
        System.load(extract(Platform.running()).toString());
        Jolt.registerDefaultAllocator();
        Jolt.installDefaultAssertCallback();
        Jolt.installDefaultTraceCallback();
        if (!Jolt.newFactory()) {
            throw new IllegalStateException("Jolt " + VERSION + " could not create its factory");
        }
        Jolt.registerTypes();
        loaded = true;
    }

    static String coordinates(Platform platform) {
        return JoltLibrary.forPlatform(platform).coordinates(VERSION);
    }

    /** The operating system's loader needs a file of its own, it cannot read a jar. */
    static Path extract(Platform platform) {
        JoltLibrary library = JoltLibrary.forPlatform(platform);
        try (InputStream in = JoltNatives.class.getResourceAsStream(library.resource())) {
            if (in == null) {
                throw new UnsupportedPlatformException("Jolt has no native library for " + platform
                        + " on the class path: add " + library.coordinates(VERSION));
            }
            Path file = Files.createTempFile("escapement-", "-joltjni");
            file.toFile().deleteOnExit();
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Jolt's native library could not be copied to " + System.getProperty("java.io.tmpdir"), e);
        }
    }
}
