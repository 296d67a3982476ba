package dev.escapement.physics.sdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.platform.NativeResource;
import dev.escapement.state.time.NanoClock;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SdlLibraryTest {

    @Test
    void shouldSayWhatIsMissingWhereThereIsNoNativeLibrary() throws Exception {
        String withoutNatives = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("-natives-"))
                .collect(Collectors.joining(File.pathSeparator));
        Process other = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java", "-cp", withoutNatives, Opening.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said)
                .contains("REFUSED SDL's native library cannot be loaded on " + NativeResource.runningPlatform())
                .contains("add lwjgl and lwjgl-sdl with the natives classifier");
        assertThat(other.waitFor()).isZero();
    }

    @Test
    void shouldSayWhySdlDoesNotStart() {
        VirtualGamepad.requireSdl();
        assertThatThrownBy(() -> SdlLibrary.start(() -> false))
                .isInstanceOf(SdlUnavailableException.class)
                .hasMessageContaining("SDL cannot start its gamepads");
    }

    /** Runs in a JVM of its own. */
    static final class Opening {

        private Opening() {}

        public static void main(String[] args) {
            for (int attempt = 0; attempt < 2; attempt++) { // a failed attempt must not count as one in use
                try {
                    SdlGamepads.open(NanoClock.system()).close();
                } catch (SdlUnavailableException refused) {
                    System.out.println("REFUSED " + refused.getMessage());
                }
            }
        }
    }
}
