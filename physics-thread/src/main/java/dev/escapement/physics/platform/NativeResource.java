package dev.escapement.physics.platform;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A native library that an engine keeps in a jar. Any thread.
 *
 * <pre>{@code
 * NativeResource library = new NativeResource(
 *         "Engine", Platform.running(), "com.example:engine-linux:1.0", "/linux/x86-64/libengine.so");
 * System.load(library.extract(EngineSimulation.class).toString());
 * }</pre>
 *
 * @param engine      whose it is, for messages
 * @param platform    what it is for
 * @param coordinates what a build has to depend on to have that jar
 * @param path        where it is in the jar, from its root, with {@code /} at the beginning and the library's file name at the end
 */
public record NativeResource(String engine, Platform platform, String coordinates, String path) {

    /**
     * Copies the library out of its jar: the operating system's loader needs a file of its own.
     *
     * @param user whose class path the jar is to be on
     * @return a temporary file that this JVM deletes when it ends, if it may
     * @throws UnsupportedPlatformException if the jar is not there
     * @throws UncheckedIOException         if the file cannot be written
     */
    public Path extract(Class<?> user) {
        try (InputStream in = user.getResourceAsStream(path)) {
            if (in == null) {
                throw new UnsupportedPlatformException(
                        engine + " has no native library for " + platform + " on the class path: add " + coordinates);
            }
            Path file = Files.createTempFile("escapement-", "-" + fileName());
            file.toFile().deleteOnExit();
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    engine + "'s native library could not be copied to " + System.getProperty("java.io.tmpdir"), e);
        }
    }

    /** The end of a name matters: to a name without one the loader of Windows adds ".dll", and then finds nothing. */
    private String fileName() {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
