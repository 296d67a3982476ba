package dev.escapement.physics.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "Linux,               amd64,   linux amd64",
        "Linux,               arm64,   linux aarch64",
        "Windows 11,          aarch64, windows aarch64",
        "Mac OS X,            x86_64,  macos amd64",
        "FreeBSD,             RISCV64, freebsd riscv64",
    })
    void shouldGiveEachPlatformOneName(String osName, String osArch, String platform) {
        assertThat(NativeResource.platform(osName, osArch, folder.resolve("none")))
                .isEqualTo(platform);
    }

    /** The last file is that of glibc before 2.34; the one before is mapped in Alpine, the first in a musl that was built from sources. */
    @ParameterizedTest
    @CsvSource({
        "/usr/lib/libc.so,                              linux-musl amd64",
        "/lib/ld-musl-x86_64.so.1,                      linux-musl amd64",
        "/usr/lib/x86_64-linux-gnu/libc.so.6,           linux amd64",
        "/usr/lib/x86_64-linux-gnu/libc-2.31.so,        linux amd64",
    })
    void shouldTellMuslByTheFilesThatTheProcessHasMapped(String mapped, String platform) throws IOException {
        Path maps = Files.writeString(
                folder.resolve("maps"),
                "7f0a-7f0b r-xp 00000000 00:1c 9 /caf\u00e9/libc.so.x\n7f0c-7f0d r--p 00000000 00:1c 10 " + mapped
                        + "\n",
                StandardCharsets.ISO_8859_1);
        assertThat(NativeResource.platform("Linux", "amd64", maps)).isEqualTo(platform);
    }

    /** An earlier process left an old copy, because Windows deletes no loaded library. */
    @Test
    void shouldCopyEveryByteAndDeleteOldCopies() throws IOException {
        Path old = library(PATH).extract(getClass());
        Path other = library(PATH).extract(getClass());
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(100)));
        Path file = library(PATH).extract(getClass());
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
                .withMessageStartingWith("Engine's native library could not be loaded from "
                        + System.getProperty("java.io.tmpdir") + " (")
                .withMessageEndingWith(
                        "): the folder must exist, be writable, have room and allow execution (not noexec);"
                                + " set another by -Djava.io.tmpdir=FOLDER")
                .withCauseInstanceOf(UnsatisfiedLinkError.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/l.so: /lib/libm.so.6: version `GLIBC_2.29' not found (required by /l.so)|"
                        + "needs GLIBC_2.29, which this Linux is too old to have: use a newer one",
                "/l.so: libstdc++.so.6: cannot open shared object file: No such file or directory|"
                        + "(/l.so: libstdc++.so.6: cannot open shared object file: No such file or directory): install that library",
                "Native Library /l.so already loaded in another classloader|"
                        + "): put the binding into one class loader for all that use it, and keep that",
                "/l.so: /l.so: failed to map segment from shared object|(failed to map segment from shared object): the folder must",
            })
    void shouldSayWhatToDoAboutTheFirstCause(String refusal, String sentence) {
        Throwable wrapped = new IllegalStateException("Loader failed", new IOException(refusal));
        assertThat(library(PATH).explain(wrapped))
                .hasMessageContaining(sentence)
                .hasCause(wrapped);
    }

    /** The temporary folder is a file, so that nothing can be written there, as in a full or read-only folder. */
    @Test
    void shouldNameTheFolderOfAFailedCopy() throws IOException {
        String before = System.getProperty("java.io.tmpdir");
        Path file = Files.createFile(folder.resolve("file"));
        try {
            System.setProperty("java.io.tmpdir", file.toString());
            assertThatExceptionOfType(UncheckedIOException.class)
                    .isThrownBy(() -> library(PATH).extract(getClass()))
                    .withMessageStartingWith("Engine's native library could not be copied to " + file
                            + " (Not a directory): the folder");
        } finally {
            System.setProperty("java.io.tmpdir", before);
        }
    }

    /** The module of Timestamp lets nobody load a library for it. */
    @Test
    void shouldNameTheBindingWhoseModuleRefusesLookup() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> library(PATH).load(java.sql.Timestamp.class))
                .withMessageContaining("module java.sql does not open java.sql to unnamed module")
                .withMessageContaining("): open its package, put the binding and Escapement into one class loader")
                .withCauseInstanceOf(IllegalAccessException.class);
    }

    @Test
    void shouldNameWhatIsMissing() {
        assertThatExceptionOfType(UnsupportedPlatformException.class)
                .isThrownBy(() -> library("/none.dll").require(getClass()))
                .withMessage("Engine has no native library for windows amd64 on the class path: add"
                        + " com.example:engine:1.0 to it, also if all else is on the module path");
    }

    private static NativeResource library(String path) {
        return new NativeResource("Engine", "windows amd64", "com.example:engine:1.0", path);
    }
}
