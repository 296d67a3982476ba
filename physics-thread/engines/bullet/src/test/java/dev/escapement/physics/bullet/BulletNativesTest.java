package dev.escapement.physics.bullet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.platform.NativeResource;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /** A class of jMonkeyEngine, without which no program of it runs, is beside Libbulletjme, which the tests have. */
    @Test
    void shouldRefuseLibbulletjmeBesideJmonkeyengine(@TempDir Path jme) throws IOException {
        Path desktop = Files.createDirectories(jme.resolve("com/jme3/system")).resolve("JmeDesktopSystem.class");
        try (URLClassLoader both =
                new URLClassLoader(new URL[] {jme.toUri().toURL()}, getClass().getClassLoader())) {
            BulletNatives.refuseBoth(both);
            Files.createFile(desktop);
            assertThatIllegalStateException()
                    .isThrownBy(() -> BulletNatives.refuseBoth(both))
                    .withMessageEndingWith(
                            "exclude com.github.stephengold:* from escapement-engine-bullet, and add Minie");
        }
    }
}
