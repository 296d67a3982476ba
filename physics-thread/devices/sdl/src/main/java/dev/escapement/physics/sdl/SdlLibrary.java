package dev.escapement.physics.sdl;

import static org.lwjgl.sdl.SDLError.SDL_GetError;
import static org.lwjgl.sdl.SDLHints.SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS;
import static org.lwjgl.sdl.SDLHints.SDL_HINT_NO_SIGNAL_HANDLERS;
import static org.lwjgl.sdl.SDLHints.SDL_SetHint;
import static org.lwjgl.sdl.SDLInit.SDL_INIT_GAMEPAD;
import static org.lwjgl.sdl.SDLInit.SDL_InitSubSystem;
import static org.lwjgl.sdl.SDLInit.SDL_QuitSubSystem;

import java.util.function.BooleanSupplier;

/** Starts and ends SDL's gamepads. SDL counts starts and ends, so other uses of SDL in the process are not affected. */
final class SdlLibrary {

    private SdlLibrary() {}

    static void start() {
        start(() -> {
            // The hint lets SDL read gamepads without a focused window, because a physics thread has no window.
            SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
            SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1"); // signal handlers belong to the JVM
            return SDL_InitSubSystem(SDL_INIT_GAMEPAD);
        });
    }

    static void start(BooleanSupplier init) {
        boolean started;
        try {
            started = init.getAsBoolean();
        } catch (LinkageError missing) {
            throw new SdlUnavailableException(
                    "SDL's native library cannot be loaded on " + System.getProperty("os.name") + " "
                            + System.getProperty("os.arch")
                            + ": add lwjgl and lwjgl-sdl with the natives classifier of this platform to the class path, or do"
                            + " without gamepads",
                    missing);
        }
        if (!started) {
            throw new SdlUnavailableException("SDL cannot start its gamepads: " + SDL_GetError(), null);
        }
    }

    static void end() {
        SDL_QuitSubSystem(SDL_INIT_GAMEPAD);
    }
}
