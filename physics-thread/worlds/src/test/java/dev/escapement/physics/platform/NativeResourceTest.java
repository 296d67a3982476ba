package dev.escapement.physics.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeResourceTest {

    private static final Platform PLATFORM = new Platform("Windows 11", "amd64");

    /** Any file will do. */
    private static final String PATH = "/dev/escapement/physics/platform/NativeResourceTest.class";

    @Test
    void shouldCopyEveryByte() throws IOException {
        Path file = library(PATH).extract(getClass());
        try (InputStream in = getClass().getResourceAsStream(PATH)) {
            assertThat(file).hasBinaryContent(in.readAllBytes());
        }
        assertThat(file.getFileName().toString())
                .as("Windows looks for another file if a name has no extension")
                .endsWith("-NativeResourceTest.class");
    }

    @Test
    void shouldNameMusl() {
        UnsatisfiedLinkError refusal = new UnsatisfiedLinkError("ld-linux-x86-64.so.2: no such file");
        assertThat(library(PATH).explain(refusal)).hasMessageContaining(refusal.getMessage());
        Platform alpine = new Platform("Linux with musl", "amd64");
        assertThatExceptionOfType(UnsupportedPlatformException.class)
                .isThrownBy(() -> {
                    throw new NativeResource("Engine", alpine, "com.example:engine:1.0", PATH).explain(refusal);
                })
                .withMessage(
                        "Engine's native library needs glibc, but this is Linux with musl amd64: run this on Debian,"
                                + " for example")
                .withCause(refusal);
        assertThat(alpine.family()).isEqualTo("linux");
    }

    /** A class is no library: the operating system refuses it, as it does where a folder is mounted noexec. */
    @Test
    void shouldNameTheFolderFromWhichALibraryCannotBeLoaded() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> library(PATH).load(getClass(), getClass()))
                .withMessageStartingWith("Engine's native library could not be loaded: ")
                .withMessageContaining("It is copied to " + System.getProperty("java.io.tmpdir") + ", which must ")
                .withMessageEndingWith("(not noexec); another folder is set by -Djava.io.tmpdir=FOLDER")
                .withCauseInstanceOf(UnsatisfiedLinkError.class);
    }

    /** A file is no folder, so that nothing can be written there, as in one that is full or read-only. */
    @Test
    void shouldNameTheFolderToWhichALibraryCannotBeCopied(@TempDir Path folder) throws IOException {
        String before = System.getProperty("java.io.tmpdir");
        Path file = Files.createFile(folder.resolve("file"));
        try {
            System.setProperty("java.io.tmpdir", file.toString());
            assertThatExceptionOfType(UncheckedIOException.class)
                    .isThrownBy(() -> library(PATH).extract(getClass()))
                    .withMessageStartingWith("Engine's native library could not be copied: ")
                    .withMessageContaining("It is copied to " + file + ", which must be writable, have room");
        } finally {
            System.setProperty("java.io.tmpdir", before);
        }
    }

    /** The class loader of the JDK's own classes lets no other class be defined beside them. */
    @Test
    void shouldNameBothClassLoadersWhereItMayNotLoadForTheBinding() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> library(PATH).load(String.class, getClass()))
                .withMessageContaining("Engine's binding has the class loader null, and Escapement "
                        + NativeResource.class.getClassLoader());
    }

    @Test
    void shouldNameWhatIsMissing() {
        NativeResource missing = library("/none.dll");
        String message =
                "Engine has no native library for Windows 11 amd64 on the class path: add com.example:engine:1.0 to it, also if"
                        + " all else is on the module path";
        assertThatExceptionOfType(UnsupportedPlatformException.class)
                .isThrownBy(() -> missing.extract(getClass()))
                .withMessage(message);
        assertThatExceptionOfType(UnsupportedPlatformException.class)
                .isThrownBy(() -> missing.require(getClass()))
                .withMessage(message);
    }

    private static NativeResource library(String path) {
        return new NativeResource("Engine", PLATFORM, "com.example:engine:1.0", path);
    }
}
