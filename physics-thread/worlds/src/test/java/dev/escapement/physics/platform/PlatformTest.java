package dev.escapement.physics.platform;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
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
}
