package dev.escapement.physics.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NativeResourceTest {

    /** The path of a file in the jar; any file will do. */
    private static final String PATH = "/dev/escapement/physics/platform/NativeResourceTest.class";

    @ParameterizedTest
    @CsvSource({
        "Linux,               amd64,   linux amd64",
        "Linux,               arm64,   linux aarch64",
        "Windows 11,          aarch64, windows aarch64",
        "Mac OS X,            x86_64,  macos amd64",
        "FreeBSD,             RISCV64, freebsd riscv64",
    })
    void shouldGiveEachPlatformOneName(String osName, String osArch, String platform) {
        assertThat(NativeResource.platform(osName, osArch)).isEqualTo(platform);
    }

    /** An earlier process left an old copy, because Windows deletes no loaded library. */
    @Test
    void shouldCopyEveryByteAndDeleteOldCopies() throws IOException {
        Path old = library(PATH).extract();
        Path other = library(PATH).extract();
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(100)));
        Path file = library(PATH).extract();
        assertThat(old).doesNotExist();
        assertThat(other).as("another process is about to load it").exists();
        try (InputStream in = getClass().getResourceAsStream(PATH)) {
            assertThat(file).hasBinaryContent(in.readAllBytes());
        }
        assertThat(file.getFileName().toString())
                .as("Windows looks for another file if a name has no extension")
                .endsWith("-NativeResourceTest.class");
    }

    /** A class file is no library: the operating system refuses it, as it does where a folder is mounted noexec. */
    @Test
    void shouldNameTheFolderOfAFailedLoad() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> library(PATH).load(getClass()))
                .withMessageStartingWith("Engine's native library could not be loaded: ")
                .withMessageContaining("It is copied to " + System.getProperty("java.io.tmpdir") + ", which must ")
                .withMessageEndingWith("(not noexec); another folder is set by -Djava.io.tmpdir=FOLDER."
                        + " On Linux it needs glibc, and not musl, as Alpine has")
                .withCauseInstanceOf(UnsatisfiedLinkError.class);
    }

    /** The temporary folder is a file, so that nothing can be written there, as in a full or read-only folder. */
    @Test
    void shouldNameTheFolderOfAFailedCopy(@TempDir Path folder) throws IOException {
        String before = System.getProperty("java.io.tmpdir");
        Path file = Files.createFile(folder.resolve("file"));
        try {
            System.setProperty("java.io.tmpdir", file.toString());
            assertThatExceptionOfType(UncheckedIOException.class)
                    .isThrownBy(() -> library(PATH).extract())
                    .withMessageStartingWith("Engine's native library could not be copied: ")
                    .withMessageContaining("It is copied to " + file + ", which must be writable, have room");
        } finally {
            System.setProperty("java.io.tmpdir", before);
        }
    }

    @Test
    void shouldNameBothClassLoadersOfAForeignBinding() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> library(PATH).load(String.class))
                .withMessageContaining("Engine's binding has the class loader null, and Escapement "
                        + NativeResource.class.getClassLoader());
    }

    @Test
    void shouldNameWhatIsMissing() {
        assertThatExceptionOfType(UnsupportedPlatformException.class)
                .isThrownBy(() -> library("/none.dll").require())
                .withMessage("Engine has no native library for windows amd64 on the class path: add"
                        + " com.example:engine:1.0 to it, also if all else is on the module path");
    }

    private static NativeResource library(String path) {
        return new NativeResource("Engine", "windows amd64", "com.example:engine:1.0", path);
    }
}
