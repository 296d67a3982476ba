package dev.escapement.physics.platform;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A native library of an engine, stored in a jar. Any thread.
 *
 * <pre>{@code
 * NativeResource.of("Engine", NativeResource.runningPlatform(), "com.example:engine:1.0:natives-%s",
 *         "linux amd64 linux /linux/x86-64/libengine.so",
 *         "macos aarch64 macos /osx/arm64/libengine.dylib").load(EngineBinding.class);
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

    /** The C library of a process, among the files that the process has mapped: musl has one of these names, and glibc neither. */
    private static final Pattern MUSL = Pattern.compile("/(ld-musl-[^/]*|libc)\\.so(\\.1)?$");

    /** The version of glibc or libstdc++ without which the loader of Linux refuses a library. */
    private static final Pattern NEWER = Pattern.compile("version `(GLIBC\\w*_[\\d.]+)' not found");

    /**
     * Returns the library of a platform.
     *
     * @param engine      the name of the engine, for messages
     * @param platform    the platform, as {@link #runningPlatform()} names it
     * @param coordinates the Maven coordinates of the jars, with {@code %s} in the place where they differ
     * @param rows        for each platform its name, the text in the place of {@code %s}, and the path in the jar, with blanks between
     * @return the library
     * @throws UnsupportedPlatformException if no row has the platform
     */
    public static NativeResource of(String engine, String platform, String coordinates, String... rows) {
        List<String> platforms = new ArrayList<>();
        for (String row : rows) {
            String[] columns = row.split(" +", -1);
            String name = columns[0] + ' ' + columns[1];
            if (name.equals(platform)) {
                return new NativeResource(engine, platform, coordinates.formatted(columns[2]), columns[3]);
            }
            platforms.add(name);
        }
        throw new UnsupportedPlatformException(
                engine + " has no native library for " + platform + ": use " + String.join(", ", platforms)
                        + (platform.contains("musl") ? "; a Linux with glibc, unlike Alpine" : ""));
    }

    /**
     * {@return the operating system and the processor of this JVM, for example "linux amd64" or "windows aarch64"} Windows, macOS, amd64
     * and aarch64 have one name on all JVMs, and a Linux with the C library musl is "linux-musl"; other names are what the JVM reports, in
     * lower case.
     */
    public static String runningPlatform() {
        return platform(System.getProperty("os.name"), System.getProperty("os.arch"), Path.of("/proc/self/maps"));
    }

    static String platform(String osName, String osArch, Path maps) {
        String name = osName.toLowerCase(Locale.ROOT);
        String arch = osArch.toLowerCase(Locale.ROOT);
        String family = name.startsWith("windows") ? "windows" : name.startsWith("mac") ? "macos" : name;
        if (family.equals("linux") && Files.isReadable(maps)) {
            try (Stream<String> files = Files.lines(maps, StandardCharsets.ISO_8859_1)) {
                family = files.anyMatch(file -> MUSL.matcher(file).find()) ? "linux-musl" : family;
            } catch (IOException | UncheckedIOException e) {
                // The platform has the name that it has without musl, and the load says what is wrong.
            }
        }
        return family + ' ' + (arch.equals("x86_64") ? "amd64" : arch.equals("arm64") ? "aarch64" : arch);
    }

    /**
     * Copies the library out of its jar and loads it, because the operating system can only load it from a file. The file is deleted at
     * once. Windows deletes no loaded library: there the next process that loads a library of this name deletes it.
     *
     * @param binding a class with native methods: the JVM looks for them only in libraries that their class loader has loaded, so the
     *                library is loaded as if this class did it
     * @throws UnsupportedPlatformException if the jar is missing, or the system is too old for the library
     * @throws UncheckedIOException         if the file cannot be written
     * @throws IllegalStateException        if the operating system refuses the file, or the binding's module does not let others load
     */
    public void load(Class<?> binding) {
        Path file = extract(binding);
        try {
            LibraryCaller.load(binding, file.toString());
        } catch (Throwable e) { // an UnsatisfiedLinkError, or a module that does not let others in
            throw explain(e);
        } finally {
            file.toFile().delete(); // works outside Windows, because a process keeps a loaded library without its file
        }
    }

    /** Copies the library to a new temporary file, which no other user can change, and deletes old copies. */
    Path extract(Class<?> binding) {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        String name = path.substring(path.lastIndexOf('/') + 1);
        try (InputStream in = find(binding)) {
            // The name keeps its extension: the loader of Windows adds ".dll" to a name without one, and finds nothing.
            Path file = Files.createTempFile(temporary, "escapement-", "-" + name);
            try {
                Files.write(file, in.readAllBytes());
            } catch (IOException e) {
                file.toFile().delete(); // otherwise each attempt would fill more of a full disk
                throw e;
            }
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
            throw new UncheckedIOException(refused("copied to", e), e);
        }
    }

    /**
     * Checks that the jar is there, for bindings that copy the library themselves.
     *
     * @param binding a class of the binding
     * @throws UnsupportedPlatformException if the jar is missing
     */
    public void require(Class<?> binding) {
        try {
            find(binding).close();
        } catch (IOException e) {
            throw new UncheckedIOException(coordinates + " could not be read: " + e.getMessage(), e);
        }
    }

    /**
     * Explains why the operating system refused the library.
     *
     * @param refusal the exception of the load
     * @return an exception to throw, which says what to do; an {@link UnsupportedPlatformException} if the system is too old
     */
    public IllegalStateException explain(Throwable refusal) {
        Matcher newer = NEWER.matcher(String.valueOf(cause(refusal).getMessage()));
        if (!newer.find()) {
            return new IllegalStateException(refused("loaded from", refusal), refusal);
        }
        UnsupportedPlatformException old = new UnsupportedPlatformException(engine + "'s native library needs "
                + newer.group(1) + ", which this Linux is too old to have: use a newer one");
        old.initCause(refusal);
        return old;
    }

    private String refused(String what, Throwable refusal) {
        Throwable cause = cause(refusal);
        String reason =
                String.valueOf(cause.getMessage()).replaceFirst("^(.+): \\1: ", ""); // the JVM and Linux name the file
        if (cause instanceof FileSystemException failed) {
            reason = failed.getReason() == null ? failed.getClass().getSimpleName() : failed.getReason();
        }
        return engine + "'s native library could not be " + what + " " + System.getProperty("java.io.tmpdir") + " ("
                + reason + "): " + remedy(cause, reason);
    }

    private static String remedy(Throwable cause, String reason) {
        if (cause instanceof IllegalAccessException) {
            return "open its package, put the binding and Escapement into one class loader, or load the library in its own before";
        }
        if (reason.contains("cannot open shared object file")) {
            return "install that library";
        }
        if (reason.contains("in another classloader")) {
            return "put the binding into one class loader for all that use it, and keep that";
        }
        return "the folder must exist, be writable, have room and allow execution (not noexec); set another by"
                + " -Djava.io.tmpdir=FOLDER";
    }

    /** Returns the first cause, because a binding's own loader wraps what the operating system said. */
    private static Throwable cause(Throwable refusal) {
        Throwable cause = refusal;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /**
     * Opens the library by the class loader of the binding, or else of this class: each searches the class path and all modules, and
     * {@code Class.getResource} would search only the module of the class. The stream of a loader ends when the loader is closed.
     */
    private InputStream find(Class<?> binding) {
        for (ClassLoader loader : List.of(binding.getClassLoader(), NativeResource.class.getClassLoader())) {
            InputStream found = loader.getResourceAsStream(path.substring(1));
            if (found != null) {
                return found;
            }
        }
        throw new UnsupportedPlatformException(engine + " has no native library for " + platform
                + " on the class path: add " + coordinates + " to it, also if all else is on the module path");
    }
}
