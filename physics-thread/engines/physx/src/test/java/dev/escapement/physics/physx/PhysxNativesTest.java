package dev.escapement.physics.physx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.escapement.physics.platform.NativeResource;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import physx.PxTopLevelFunctions;

class PhysxNativesTest {

    @ParameterizedTest
    @CsvSource({
        "linux amd64,   natives-linux,       linux/libPhysXJniBindings_64.so",
        "windows amd64, natives-windows,     windows/PhysXJniBindings_64.dll",
        "macos aarch64, natives-macos-arm64, macosarm/libPhysXJniBindings_64.dylib",
    })
    void eachPlatformHasItsArtifactAndItsFile(String platform, String classifier, String file) {
        NativeResource library = PhysxNatives.library(platform);
        assertThat(library.coordinates())
                .isEqualTo("de.fabmax:physx-jni:" + System.getProperty("physx.version") + ":" + classifier);
        assertThat(library.path()).isEqualTo("/de/fabmax/physxjni/" + file);
    }

    @ParameterizedTest
    @ValueSource(strings = {"linux aarch64", "freebsd amd64"})
    void otherPlatformsAreNamedInOneLine(String platform) {
        assertThatExceptionOfType(UnsupportedPlatformException.class)
                .isThrownBy(() -> PhysxNatives.library(platform))
                .withMessageContaining("physx-jni offers no native library of PhysX for " + platform)
                .withMessageNotContaining("\n");
    }

    @Test
    void shouldSayWhichLibraryComputes() {
        PhysxNatives.load();
        assertThat(PxTopLevelFunctions.getPHYSICS_VERSION()).isEqualTo(0x05040100);
        assertThat(PhysxWorldSimulation.version()).contains(System.getProperty("physx.version") + ":natives-");
    }
}
