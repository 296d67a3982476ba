package dev.escapement.physics.bullet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.jme3.bullet.util.NativeLibrary;
import dev.escapement.physics.platform.NativeResource;
import dev.escapement.physics.platform.Platform;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BulletNativesTest {

    @ParameterizedTest
    @CsvSource({
        "Linux,      amd64,   Libbulletjme-Linux64,       /native/linux/x86_64/libbulletjme.so",
        "Linux,      aarch64, Libbulletjme-Linux_ARM64,   /native/linux/arm64/libbulletjme.so",
        "Windows 10, amd64,   Libbulletjme-Windows64,     /native/windows/x86_64/bulletjme.dll",
        "Windows 11, aarch64, Libbulletjme-Windows_ARM64, /native/windows/arm64/bulletjme.dll",
        "Mac OS X,   x86_64,  Libbulletjme-MacOSX64,      /native/osx/x86_64/libbulletjme.dylib",
        "Mac OS X,   aarch64, Libbulletjme-MacOSX_ARM64,  /native/osx/arm64/libbulletjme.dylib",
        "LINUX,      X86_64,  Libbulletjme-Linux64,       /native/linux/x86_64/libbulletjme.so",
        "Linux,      arm64,   Libbulletjme-Linux_ARM64,   /native/linux/arm64/libbulletjme.so",
    })
    void eachPlatformHasItsArtifactAndItsFile(String osName, String osArch, String artifact, String resource) {
        NativeResource library = BulletNatives.library(new Platform(osName, osArch), "23.1.0:SpRelease");
        assertThat(library.coordinates()).isEqualTo("com.github.stephengold:" + artifact + ":23.1.0:SpRelease");
        assertThat(library.path()).isEqualTo(resource);
    }

    @ParameterizedTest
    @CsvSource({"Linux, riscv64", "Linux, x86", "FreeBSD, amd64", "SunOS, sparcv9"})
    void otherPlatformsAreNamedInOneLine(String osName, String osArch) {
        assertThatExceptionOfType(UnsupportedPlatformException.class)
                .isThrownBy(() -> BulletNatives.library(new Platform(osName, osArch), "23.1.0:SpRelease"))
                .withMessageContaining("Libbulletjme offers no native library of Bullet for " + osName + " " + osArch)
                .withMessageNotContaining("\n");
    }

    @Test
    void theLibraryIsThatOfTheBuild() {
        BulletNatives.load();
        assertThat(NativeLibrary.versionNumber()).isEqualTo(System.getProperty("libbulletjme.version"));
        assertThat(NativeLibrary.isThreadSafe()).as("one thread ticks").isFalse();
        assertThat(NativeLibrary.isDoublePrecision()).isFalse();
    }

    @Test
    void shouldSayWhichLibraryComputes() {
        assertThat(BulletWorldSimulation.version())
                .matches(
                        "com\\.github\\.stephengold:Libbulletjme-\\w+:" + NativeLibrary.expectedVersion + ":SpRelease");
    }
}
