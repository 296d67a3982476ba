package dev.escapement.physics.platform;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Path;

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
     * Copies the library out of its jar, because the operating system can only load it from a file. The file stays, in a folder of this
     * user in the temporary one: the next JVM uses it again, if it still has the bytes of the jar.
     *
     * @param user a class whose class loader finds the jar
     * @return the file; a copy that this JVM deletes at its end, if it can, where another class loader has got the file, or where the
     *         folder is not this user's alone
     * @throws UnsupportedPlatformException if the jar is not there
     * @throws UncheckedIOException         if the file cannot be written
     */
    public Path extract(Class<?> user) {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        try (InputStream in = find(user).openStream()) {
            return new NativeFolder(temporary, System.getProperties()).file(fileName(), in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(engine + "'s native library could not be copied to " + temporary, e);
        }
    }

    /**
     * Checks that the jar is there, for bindings that copy the library themselves.
     *
     * @param user a class whose class loader finds the jar
     * @throws UnsupportedPlatformException if it is not
     */
    public void require(Class<?> user) {
        find(user);
    }

    /**
     * Explains why the operating system refused the library, if that is known: musl is the C library here, and the library needs glibc.
     *
     * @param refusal what was thrown when the library was loaded
     * @throws UnsupportedPlatformException if this JVM runs on musl, with what to do
     */
    public void explain(Throwable refusal) {
        if (platform.hasMusl()) {
            UnsupportedPlatformException explained = new UnsupportedPlatformException(engine
                    + "'s native library needs glibc, but this is " + platform + ": run this on Debian, for example");
            explained.initCause(refusal);
            throw explained;
        }
    }

    /** By the class loader: on the class path and in all modules. A class in a module only finds what is in that module. */
    private URL find(Class<?> user) {
        URL found = user.getClassLoader().getResource(path.substring(1));
        if (found == null) {
            throw new UnsupportedPlatformException(engine + " has no native library for " + platform
                    + " on the class path: add " + coordinates + " to it, also if all else is on the module path");
        }
        return found;
    }

    private String fileName() {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
