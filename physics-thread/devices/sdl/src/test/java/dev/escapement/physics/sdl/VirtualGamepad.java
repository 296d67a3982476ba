package dev.escapement.physics.sdl;

import static org.lwjgl.sdl.SDLError.SDL_GetError;
import static org.lwjgl.sdl.SDLGamepad.SDL_GAMEPAD_AXIS_COUNT;
import static org.lwjgl.sdl.SDLGamepad.SDL_GAMEPAD_BUTTON_COUNT;
import static org.lwjgl.sdl.SDLGamepad.SDL_UpdateGamepads;
import static org.lwjgl.sdl.SDLJoystick.SDL_AttachVirtualJoystick;
import static org.lwjgl.sdl.SDLJoystick.SDL_CloseJoystick;
import static org.lwjgl.sdl.SDLJoystick.SDL_DetachVirtualJoystick;
import static org.lwjgl.sdl.SDLJoystick.SDL_INIT_INTERFACE;
import static org.lwjgl.sdl.SDLJoystick.SDL_JOYSTICK_TYPE_GAMEPAD;
import static org.lwjgl.sdl.SDLJoystick.SDL_OpenJoystick;
import static org.lwjgl.sdl.SDLJoystick.SDL_SetJoystickVirtualAxis;
import static org.lwjgl.sdl.SDLJoystick.SDL_SetJoystickVirtualButton;

import org.junit.jupiter.api.Assumptions;
import org.lwjgl.sdl.SDLVersion;
import org.lwjgl.sdl.SDL_VirtualJoystickDesc;
import org.lwjgl.sdl.SDL_VirtualJoystickSensorDesc;
import org.lwjgl.sdl.SDL_VirtualJoystickTouchpadDesc;
import org.lwjgl.system.MemoryStack;

/**
 * A virtual gamepad that SDL treats like a real one. Every change of it enters SDL's queue at once with a stamp, like a driver's event.
 */
final class VirtualGamepad implements AutoCloseable {

    final int device;
    private final long joystick;
    private boolean attached = true;

    VirtualGamepad() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            SDL_VirtualJoystickDesc description = SDL_VirtualJoystickDesc.calloc(stack);
            SDL_INIT_INTERFACE(description);
            description
                    .type((short) SDL_JOYSTICK_TYPE_GAMEPAD)
                    .naxes((short) SDL_GAMEPAD_AXIS_COUNT)
                    .nbuttons((short) SDL_GAMEPAD_BUTTON_COUNT)
                    .name(stack.UTF8("virtual"))
                    .touchpads(SDL_VirtualJoystickTouchpadDesc.calloc(1, stack))
                    .ntouchpads((short) 0)
                    .sensors(SDL_VirtualJoystickSensorDesc.calloc(1, stack))
                    .nsensors((short) 0);
            device = SDL_AttachVirtualJoystick(description);
        }
        joystick = SDL_OpenJoystick(device);
        if (device == 0 || joystick == 0) {
            throw new IllegalStateException("SDL gives no virtual gamepad: " + SDL_GetError());
        }
    }

    /** Skips a test with a reason if SDL's native library cannot be loaded. */
    static void requireSdl() {
        try {
            SDLVersion.SDL_GetVersion();
        } catch (LinkageError missing) {
            Assumptions.abort("SDL's native library cannot be loaded here: " + missing);
        }
    }

    void button(int button, boolean down) {
        SDL_SetJoystickVirtualButton(joystick, button, down);
        SDL_UpdateGamepads();
    }

    void axis(int axis, int value) {
        SDL_SetJoystickVirtualAxis(joystick, axis, (short) value);
        SDL_UpdateGamepads();
    }

    void unplug() {
        if (attached) {
            attached = false;
            SDL_DetachVirtualJoystick(device);
            SDL_CloseJoystick(joystick);
        }
    }

    @Override
    public void close() {
        unplug();
    }
}
