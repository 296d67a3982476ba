package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.platform.NativeResource;
import dev.escapement.physics.platform.Platform;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JoltNativesTest {

    @ParameterizedTest
    @CsvSource({
        "Linux,      amd64,   jolt-jni-Linux64,      /linux/x86-64/com/github/stephengold/libjoltjni.so",
        "Linux,      aarch64, jolt-jni-Linux_ARM64,  /linux/aarch64/com/github/stephengold/libjoltjni.so",
        "Windows 10, amd64,   jolt-jni-Windows64,    /windows/x86-64/com/github/stephengold/joltjni.dll",
        "Windows 11, amd64,   jolt-jni-Windows64,    /windows/x86-64/com/github/stephengold/joltjni.dll",
        "Windows 11, aarch64, jolt-jni-Windows_ARM64, /windows/aarch64/com/github/stephengold/joltjni.dll",
        "Mac OS X,   x86_64,  jolt-jni-MacOSX64,     /osx/x86-64/com/github/stephengold/libjoltjni.dylib",
        "Mac OS X,   aarch64, jolt-jni-MacOSX_ARM64, /osx/aarch64/com/github/stephengold/libjoltjni.dylib",
        "LINUX,      X86_64,  jolt-jni-Linux64,      /linux/x86-64/com/github/stephengold/libjoltjni.so",
        "Linux,      arm64,   jolt-jni-Linux_ARM64,  /linux/aarch64/com/github/stephengold/libjoltjni.so",
    })
    void eachPlatformHasItsArtifactAndItsFile(String osName, String osArch, String artifact, String resource) {
        NativeResource library = JoltNatives.library(new Platform(osName, osArch), "7.0.1:DebugDp");
        assertThat(library.coordinates()).isEqualTo("com.github.stephengold:" + artifact + ":7.0.1:DebugDp");
        assertThat(library.path()).isEqualTo(resource);
    }

    @ParameterizedTest
    @CsvSource({"Windows 11, x86", "Linux, riscv64", "Linux, x86", "FreeBSD, amd64", "SunOS, sparcv9"})
    void otherPlatformsAreNamedInOneLine(String osName, String osArch) {
        assertThatThrownBy(() -> JoltNatives.library(new Platform(osName, osArch), JoltNatives.RELEASE))
                .isInstanceOf(UnsupportedPlatformException.class)
                .hasMessageContaining("jolt-jni offers no native library of Jolt for " + osName + " " + osArch)
                .message()
                .hasLineCount(1);
    }

    @Test
    void theVersionInMessagesIsTheBuildsVersion() {
        assertThat(JoltNatives.VERSION).isEqualTo(System.getProperty("jolt.version"));
    }

    @Test
    void shouldSayWhichLibraryComputes() {
        assertThat(JoltWorldSimulation.version())
                .matches("com\\.github\\.stephengold:jolt-jni-\\w+:" + JoltNatives.VERSION + ":ReleaseSp");
        assertThat(JoltNatives.release("6.0.0", "Release", true)).isEqualTo("6.0.0:ReleaseDp");
        assertThat(JoltNatives.release("6.0.0", "Debug", false)).isEqualTo("6.0.0:DebugSp");
    }

    /** The oldest that exists: the version of the build has none. */
    @Test
    void windowsOnArmNeedsANewerVersion() {
        assertThat(JoltNatives.library(new Platform("Windows 11", "aarch64"), JoltNatives.RELEASE)
                        .coordinates())
                .isEqualTo("com.github.stephengold:jolt-jni-Windows_ARM64:6.0.0:ReleaseSp");
    }
}
