package dev.escapement.physics.box2d;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.escapement.physics.platform.NativeResource;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Box2dNativesTest {

    /** The jars contain the libraries of all platforms, so each is found here. */
    @ParameterizedTest
    @ValueSource(strings = {"linux amd64", "linux aarch64", "windows amd64", "macos amd64", "macos aarch64"})
    void eachPlatformHasItsFiles(String platform) {
        for (String name : new String[] {"gdx", "gdx-box2d"}) {
            String version = System.getProperty(name + ".version");
            NativeResource library = Box2dNatives.library(platform, name, version);
            library.require();
            assertThat(library.coordinates())
                    .isEqualTo("com.badlogicgames.gdx:" + name + "-platform:" + version + ":natives-desktop");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"linux riscv", "windows aarch64", "freebsd amd64"})
    void otherPlatformsAreNamedInOneLine(String platform) {
        assertThatExceptionOfType(UnsupportedPlatformException.class)
                .isThrownBy(() -> Box2dNatives.library(platform, "gdx-box2d", "1"))
                .withMessageContaining("libGDX offers no native library of Box2D for " + platform)
                .withMessageNotContaining("\n");
    }
}
