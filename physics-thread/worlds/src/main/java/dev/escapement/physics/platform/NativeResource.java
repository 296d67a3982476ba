package dev.escapement.physics.platform;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/**
 * A native library of an engine, stored in a jar. Any thread.
 *
 * <pre>{@code
 * String platform = NativeResource.runningPlatform();
 * String path = switch (platform) {
 *     case "linux amd64" -> "/linux/x86-64/libengine.so";
 *     case "macos aarch64" -> "/osx/arm64/libengine.dylib";
 *     default -> throw new UnsupportedPlatformException("no library for " + platform + ": use Linux or macOS");
 * };
 * new NativeResource("Engine", platform, "com.example:engine:1.0", path).load(EngineBinding.class);
 * }</pre>
 *
 * @param engine      the name of the engine, for messages
 * @param platform    the platform of the library, for messages
 * @param coordinates the Maven coordinates of the jar
 * @param path        the absolute path in the jar, which starts with {@code /} and ends with the library's file name
 */
public record NativeResource(String engine, String platform, String coordinates, String path) {

    /** The age from which a copy of a library is deleted. A younger copy may belong to a process that is about to load it. */
    private static final Duration OLD = Duration.ofMinutes(1);

    /**
     * {@return the operating system and the processor of this JVM, for example "linux amd64" or "windows aarch64"} Windows, macOS, amd64
     * and aarch64 have one name on all JVMs; other names are what the JVM reports, in lower case.
     */
    public static String runningPlatform() {
        return platform(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    static String platform(String osName, String osArch) {
        String name = osName.toLowerCase(Locale.ROOT);
        String arch = osArch.toLowerCase(Locale.ROOT);
        String family = name.startsWith("windows") ? "windows" : name.startsWith("mac") ? "macos" : name;
        return family + ' ' + (arch.equals("x86_64") ? "amd64" : arch.equals("arm64") ? "aarch64" : arch);
    }

    /**
     * Copies the library out of its jar and loads it, because the operating system can only load it from a file. The file is deleted at
     * once. Windows deletes no loaded library: there the next process that loads a library of this name deletes it.
     *
     * @param binding a class of the binding, which must have the class loader of this class: the JVM looks for native methods only in
     *                libraries that the class loader of their class has loaded
     * @throws UnsupportedPlatformException if the jar is missing
     * @throws UncheckedIOException         if the file cannot be written
     * @throws IllegalStateException        if the operating system refuses the file, or the binding has another class loader
     */
    public void load(Class<?> binding) {
        if (binding.getClassLoader() != NativeResource.class.getClassLoader()) {
            throw new IllegalStateException(
                    engine + "'s binding has the class loader " + binding.getClassLoader() + ", and Escapement "
                            + NativeResource.class.getClassLoader()
                            + ": put both into one, or load the library there before Escapement does");
        }
        Path file = extract();
        try {
            System.load(file.toString());
        } catch (UnsatisfiedLinkError e) {
            throw explain(e);
        } finally {
            file.toFile().delete(); // works outside Windows, because a process keeps a loaded library without its file
        }
    }

    /** Copies the library to a new temporary file, which no other user can change, and deletes old copies. */
    Path extract() {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        String name = path.substring(path.lastIndexOf('/') + 1);
        try (InputStream in = find().openStream()) {
            // The name keeps its extension: the loader of Windows adds ".dll" to a name without one, and finds nothing.
            Path file = Files.write(Files.createTempFile(temporary, "escapement-", "-" + name), in.readAllBytes());
            long old = file.toFile().lastModified() - OLD.toMillis();
            try (DirectoryStream<Path> copies = Files.newDirectoryStream(temporary, "escapement-*-" + name)) {
                for (Path copy : copies) {
                    if (copy.toFile().lastModified() < old) {
                        // Harmless if it fails: a process on Windows has loaded the copy, or another user owns it.
                        copy.toFile().delete();
                    }
                }
            }
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(refused("copied", e), e);
        }
    }

    /**
     * Checks that the jar is there, for bindings that copy the library themselves.
     *
     * @throws UnsupportedPlatformException if the jar is missing
     */
    public void require() {
        find();
    }

    /**
     * Explains why the operating system refused the library.
     *
     * @param refusal the exception of the load
     * @return an exception to throw, which says what to do
     */
    public IllegalStateException explain(Throwable refusal) {
        return new IllegalStateException(refused("loaded", refusal), refusal);
    }

    private String refused(String what, Throwable refusal) {
        return engine + "'s native library could not be " + what + ": " + refusal.getMessage() + ". It is copied to "
                + System.getProperty("java.io.tmpdir") + ", which must be writable, have room and allow execution"
                + " (not noexec); another folder is set by -Djava.io.tmpdir=FOLDER. On Linux it needs glibc, and not"
                + " musl, as Alpine has";
    }

    /**
     * Finds the library by the class loader, which searches the class path and all modules. {@code Class.getResource} would search only the
     * module of the class.
     */
    private URL find() {
        URL found = NativeResource.class.getClassLoader().getResource(path.substring(1));
        if (found == null) {
            throw new UnsupportedPlatformException(engine + " has no native library for " + platform
                    + " on the class path: add " + coordinates + " to it, also if all else is on the module path");
        }
        return found;
    }
}
