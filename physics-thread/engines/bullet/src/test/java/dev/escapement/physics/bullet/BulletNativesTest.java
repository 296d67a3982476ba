package dev.escapement.physics.bullet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.escapement.physics.platform.NativeResource;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BulletNativesTest {

    @ParameterizedTest
    @CsvSource({
        "linux amd64,     Libbulletjme-Linux64,       /native/linux/x86_64/libbulletjme.so",
        "windows aarch64, Libbulletjme-Windows_ARM64, /native/windows/arm64/bulletjme.dll",
        "macos aarch64,   Libbulletjme-MacOSX_ARM64,  /native/osx/arm64/libbulletjme.dylib",
    })
    void eachPlatformHasItsArtifactAndItsFile(String platform, String artifact, String resource) {
        NativeResource library = BulletNatives.library(platform, "23.1.0:SpRelease");
        assertThat(library.coordinates()).isEqualTo("com.github.stephengold:" + artifact + ":23.1.0:SpRelease");
        assertThat(library.path()).isEqualTo(resource);
    }

    @ParameterizedTest
    @ValueSource(strings = {"linux riscv64", "linux x86", "freebsd amd64"})
    void otherPlatformsAreNamedInOneLine(String platform) {
        assertThatExceptionOfType(UnsupportedPlatformException.class)
                .isThrownBy(() -> BulletNatives.library(platform, "23.1.0:SpRelease"))
                .withMessageContaining("Libbulletjme offers no native library of Bullet for " + platform)
                .withMessageNotContaining("\n");
    }
}
