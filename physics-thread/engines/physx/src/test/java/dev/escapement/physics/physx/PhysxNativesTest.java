package dev.escapement.physics.physx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.escapement.physics.platform.NativeResource;
import dev.escapement.physics.platform.Platform;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import physx.PxTopLevelFunctions;

class PhysxNativesTest {

    @ParameterizedTest
    @CsvSource({
        "Linux,      amd64,   natives-linux,       linux/libPhysXJniBindings_64.so",
        "Windows 11, amd64,   natives-windows,     windows/PhysXJniBindings_64.dll",
        "Mac OS X,   x86_64,  natives-macos,       macos/libPhysXJniBindings_64.dylib",
        "Mac OS X,   aarch64, natives-macos-arm64, macosarm/libPhysXJniBindings_64.dylib",
    })
    void eachPlatformHasItsArtifactAndItsFile(String osName, String osArch, String classifier, String file) {
        NativeResource library = PhysxNatives.library(new Platform(osName, osArch));
        assertThat(library.coordinates())
                .isEqualTo("de.fabmax:physx-jni:" + System.getProperty("physx.version") + ":" + classifier);
        assertThat(library.path()).isEqualTo("/de/fabmax/physxjni/" + file);
    }

    @ParameterizedTest
    @CsvSource({"Linux, aarch64", "Windows 11, aarch64", "FreeBSD, amd64"})
    void otherPlatformsAreNamedInOneLine(String osName, String osArch) {
        assertThatExceptionOfType(UnsupportedPlatformException.class)
                .isThrownBy(() -> PhysxNatives.library(new Platform(osName, osArch)))
                .withMessageContaining("physx-jni offers no native library of PhysX for " + osName + " " + osArch)
                .withMessageNotContaining("\n");
    }

    @Test
    void shouldSayWhichLibraryComputes() {
        PhysxNatives.load();
        assertThat(PxTopLevelFunctions.getPHYSICS_VERSION()).isEqualTo(0x05040100);
        assertThat(PhysxWorldSimulation.version()).contains(System.getProperty("physx.version") + ":natives-");
    }
}
