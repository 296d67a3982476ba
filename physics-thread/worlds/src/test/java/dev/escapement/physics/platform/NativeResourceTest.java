package dev.escapement.physics.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

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
        library(PATH).explain(refusal); // says nothing more than the error
        Platform alpine = new Platform("Linux with musl", "amd64");
        assertThatExceptionOfType(UnsupportedPlatformException.class)
                .isThrownBy(() -> new NativeResource("Engine", alpine, "com.example:engine:1.0", PATH).explain(refusal))
                .withMessage(
                        "Engine's native library needs glibc, but this is Linux with musl amd64: run this on Debian,"
                                + " for example")
                .withCause(refusal);
        assertThat(alpine.family()).isEqualTo("linux");
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
