package dev.escapement.physics.box2d;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.escapement.physics.platform.NativeResource;
import dev.escapement.physics.platform.Platform;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Box2dNativesTest {

    /** The jars have the libraries of all platforms, so each is found here. */
    @ParameterizedTest
    @CsvSource({"Linux, amd64", "Linux, aarch64", "Windows 11, amd64", "Mac OS X, x86_64", "Mac OS X, aarch64"})
    void eachPlatformHasItsFiles(String osName, String osArch) {
        for (String name : new String[] {"gdx", "gdx-box2d"}) {
            String version = System.getProperty(name + ".version");
            NativeResource library = Box2dNatives.library(new Platform(osName, osArch), name, version);
            library.require();
            assertThat(library.coordinates())
                    .isEqualTo("com.badlogicgames.gdx:" + name + "-platform:" + version + ":natives-desktop");
        }
    }

    @ParameterizedTest
    @CsvSource({"Linux, riscv", "Windows 11, aarch64", "FreeBSD, amd64"})
    void otherPlatformsAreNamedInOneLine(String osName, String osArch) {
        assertThatExceptionOfType(UnsupportedPlatformException.class)
                .isThrownBy(() -> Box2dNatives.library(new Platform(osName, osArch), "gdx-box2d", "1"))
                .withMessageContaining("libGDX offers no native library of Box2D for " + osName + " " + osArch)
                .withMessageNotContaining("\n");
    }

    @Test
    void shouldSayWhichLibraryComputes() {
        assertThat(Box2dWorldSimulation.version())
                .startsWith(System.getProperty("gdx-box2d.version") + " on ")
                .contains(Platform.running().architecture());
    }
}
