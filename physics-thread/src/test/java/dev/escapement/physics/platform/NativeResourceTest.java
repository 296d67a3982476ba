package dev.escapement.physics.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
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
        Files.delete(file);
    }

    @Test
    void shouldNameWhatIsMissing() {
        NativeResource missing = library("/none.dll");
        String message =
                "Engine has no native library for Windows 11 amd64 on the class path: add com.example:engine:1.0";
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
