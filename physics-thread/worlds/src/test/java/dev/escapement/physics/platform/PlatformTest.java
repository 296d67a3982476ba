package dev.escapement.physics.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlatformTest {

    @ParameterizedTest
    @CsvSource({
        "Linux,               amd64,   linux,   amd64",
        "LINUX,               X86_64,  linux,   amd64",
        "Linux,               arm64,   linux,   aarch64",
        "Windows 11,          aarch64, windows, aarch64",
        "Windows Server 2022, amd64,   windows, amd64",
        "Mac OS X,            x86_64,  macos,   amd64",
        "FreeBSD,             RISCV64, freebsd, riscv64",
    })
    void shouldGiveEachOneName(String osName, String osArch, String family, String architecture) {
        Platform platform = new Platform(osName, osArch);
        assertThat(platform.family()).isEqualTo(family);
        assertThat(platform.architecture()).isEqualTo(architecture);
    }

    @Test
    void shouldBeNamedInMessagesAsTheJvmNamesIt() {
        assertThat(new Platform("Windows 11", "aarch64")).hasToString("Windows 11 aarch64");
        assertThat(Platform.running()).hasToString(System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    }

    @Test
    void shouldKnowMuslByWhatIsLoaded(@TempDir Path folder) throws IOException {
        Path maps = folder.resolve("maps");
        Files.writeString(maps, """
                7f31a0a00000-7f31a0a14000 r-xp 00000000 08:01 1311 /opt/j\u00ffdk/lib/libjava.so
                7f31a0b00000-7f31a0b14000 r--p 00000000 08:01 1312 /lib/ld-musl-x86_64.so.1
                """, StandardCharsets.ISO_8859_1);
        assertThat(Platform.running(maps).hasMusl()).isTrue();
        Files.writeString(maps, "7f31a0a00000-7f31a0a14000 r-xp 00000000 08:01 1311 /usr/lib/libc.so.6\n");
        assertThat(Platform.running(maps)).isEqualTo(Platform.running(folder.resolve("none")));
        assertThat(Platform.running(folder.resolve("none")).osName()).isEqualTo(System.getProperty("os.name"));
    }
}
