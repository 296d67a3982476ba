package dev.escapement.physics.platform;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A native library of an engine, stored in a jar. Any thread.
 *
 * <pre>{@code
 * NativeResource library = new NativeResource(
 *         "Engine", Platform.running(), "com.example:engine-linux:1.0", "/linux/x86-64/libengine.so");
 * System.load(library.extract(EngineSimulation.class).toString());
 * }</pre>
 *
 * @param engine      the name of the engine, for messages
 * @param platform    the platform of the library
 * @param coordinates the Maven coordinates of the jar
 * @param path        the absolute path in the jar, which starts with {@code /} and ends with the library's file name
 */
public record NativeResource(String engine, Platform platform, String coordinates, String path) {

    /**
     * Copies the library out of its jar, because the operating system can only load it from a file.
     *
     * @param user a class whose class loader finds the jar
     * @return a temporary file that this JVM deletes at its end, if it can
     * @throws UnsupportedPlatformException if the jar is not there
     * @throws UncheckedIOException         if the file cannot be written
     */
    public Path extract(Class<?> user) {
        try (InputStream in = user.getResourceAsStream(path)) {
            if (in == null) {
                throw missing();
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

    /**
     * Checks that the jar is there, for bindings that copy the library themselves.
     *
     * @param user a class whose class loader finds the jar
     * @throws UnsupportedPlatformException if it is not
     */
    public void require(Class<?> user) {
        if (user.getResource(path) == null) {
            throw missing();
        }
    }

    private UnsupportedPlatformException missing() {
        return new UnsupportedPlatformException(
                engine + " has no native library for " + platform + " on the class path: add " + coordinates);
    }

    /** The temporary file keeps the name's extension: to a name without one, the loader of Windows adds ".dll" and finds nothing. */
    private String fileName() {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
