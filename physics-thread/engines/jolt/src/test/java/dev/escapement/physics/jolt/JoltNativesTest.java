package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.platform.NativeResource;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JoltNativesTest {

    @ParameterizedTest
    @CsvSource({
        "linux amd64,   jolt-jni-Linux64,      /linux/x86-64/com/github/stephengold/libjoltjni.so",
        "windows amd64, jolt-jni-Windows64,    /windows/x86-64/com/github/stephengold/joltjni.dll",
        "windows aarch64, jolt-jni-Windows_ARM64, /windows/aarch64/com/github/stephengold/joltjni.dll",
        "macos aarch64, jolt-jni-MacOSX_ARM64, /osx/aarch64/com/github/stephengold/libjoltjni.dylib",
    })
    void eachPlatformHasItsArtifactAndItsFile(String platform, String artifact, String resource) {
        NativeResource library = JoltNatives.library(platform, "7.0.1:DebugDp");
        assertThat(library.coordinates()).isEqualTo("com.github.stephengold:" + artifact + ":7.0.1:DebugDp");
        assertThat(library.path()).isEqualTo(resource);
    }

    @ParameterizedTest
    @ValueSource(strings = {"windows x86", "freebsd amd64"})
    void otherPlatformsAreNamedInOneLine(String platform) {
        assertThatThrownBy(() -> JoltNatives.library(platform, JoltNatives.RELEASE))
                .isInstanceOf(UnsupportedPlatformException.class)
                .hasMessageContaining("jolt-jni offers no native library of Jolt for " + platform)
                .message()
                .hasLineCount(1);
    }

    /** A parent of Escapement's class loader has loaded the library. A second copy in the JVM would not know the objects of the first. */
    @Test
    void shouldUseALibraryThatTheGameHasLoaded(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("jolt.so");
        NativeResource library = JoltNatives.library(NativeResource.runningPlatform(), JoltNatives.RELEASE);
        try (InputStream in = getClass().getResourceAsStream(library.path())) {
            Files.copy(in, file);
        }
        try (URLClassLoader game = loader(
                        entry -> entry.matches(".*jolt-jni-[^/\\\\]*\\d\\.jar|.*test-classes.*"),
                        ClassLoader.getPlatformClassLoader());
                URLClassLoader escapement = loader(entry -> !entry.contains("test-classes"), game)) {
            game.loadClass(GameThatLoads.class.getName())
                    .getConstructor(String.class)
                    .newInstance(file.toString());
            escapement.loadClass(JoltNatives.class.getName()).getMethod("load").invoke(null);
        }
    }

    /** Loads a library: System.load links it to the class loader of its caller. */
    public static final class GameThatLoads {

        public GameThatLoads(String file) {
            System.load(file);
        }
    }

    private static URLClassLoader loader(Predicate<String> entries, ClassLoader parent) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (entries.test(entry)) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        return new URLClassLoader(urls.toArray(URL[]::new), parent);
    }
}
