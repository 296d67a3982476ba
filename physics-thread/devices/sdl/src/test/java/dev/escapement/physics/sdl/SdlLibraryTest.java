package dev.escapement.physics.sdl;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.platform.NativeResource;
import org.junit.jupiter.api.Test;

class SdlLibraryTest {

    @Test
    void shouldSayThatTheNativeLibraryIsMissing() {
        UnsatisfiedLinkError missing = new UnsatisfiedLinkError("no lwjgl_sdl");
        assertThatThrownBy(() -> SdlLibrary.start(() -> {
                    throw missing;
                }))
                .isInstanceOf(SdlUnavailableException.class)
                .hasCause(missing)
                .hasMessageStartingWith("SDL's native library cannot be loaded on " + NativeResource.runningPlatform())
                .hasMessageContaining("add lwjgl and lwjgl-sdl with the natives classifier");
    }

    @Test
    void shouldSayWhySdlDoesNotStart() {
        VirtualGamepad.requireSdl();
        assertThatThrownBy(() -> SdlLibrary.start(() -> false))
                .isInstanceOf(SdlUnavailableException.class)
                .hasMessageContaining("SDL cannot start its gamepads");
    }
}
