package dev.escapement.physics.sdl;

import static org.lwjgl.sdl.SDLGamepad.SDL_GAMEPAD_AXIS_COUNT;
import static org.lwjgl.sdl.SDLGamepad.SDL_GAMEPAD_AXIS_LEFT_TRIGGER;
import static org.lwjgl.sdl.SDLGamepad.SDL_GAMEPAD_BUTTON_COUNT;

import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;

/**
 * Which controller has which place, and what the ring was told of each: so that nothing is told twice, and nothing stays held by a
 * controller that is gone.
 *
 * <p>Physics thread only. Allocates nothing.
 */
final class GamepadLevels {

    static final int NOBODY = 0; // SDL counts its devices from 1
    private static final float MOST = Short.MAX_VALUE;
    private static final float LEAST = -(float) Short.MIN_VALUE;

    private final int[] devices = new int[SdlGamepads.MOST_CONTROLLERS];
    private final int[] buttons = new int[SdlGamepads.MOST_CONTROLLERS];
    private final float[] axes = new float[SdlGamepads.MOST_CONTROLLERS * SdlGamepads.AXES_EACH];

    /** Gives a controller the lowest free place. False if it has one, or if all are taken. */
    boolean add(int device) {
        if (placeOf(device) >= 0) {
            return false;
        }
        int place = placeOf(NOBODY);
        if (place >= 0) {
            devices[place] = device;
        }
        return place >= 0;
    }

    /** Lets come up what the controller held. False if it has no place. */
    boolean remove(InputRing ring, long timeNanos, int device) {
        int place = placeOf(device);
        if (place < 0) {
            return false;
        }
        for (int button = 0; button < SDL_GAMEPAD_BUTTON_COUNT; button++) {
            tellButton(ring, timeNanos, place, button, false);
        }
        for (int axis = 0; axis < SDL_GAMEPAD_AXIS_COUNT; axis++) {
            tellAxis(ring, timeNanos, place, axis, 0);
        }
        devices[place] = NOBODY;
        return true;
    }

    void button(InputRing ring, long timeNanos, int device, int button, boolean down) {
        int place = placeOf(device);
        if (place >= 0 && button < SdlGamepads.BUTTONS_EACH) {
            tellButton(ring, timeNanos, place, button, down);
        }
    }

    void axis(InputRing ring, long timeNanos, int device, int axis, short value) {
        int place = placeOf(device);
        if (place >= 0 && axis < SdlGamepads.AXES_EACH) {
            boolean trigger = axis >= SDL_GAMEPAD_AXIS_LEFT_TRIGGER;
            tellAxis(ring, timeNanos, place, axis, trigger ? Math.max(0, value) / MOST : stick(value));
        }
    }

    /** What the ring refuses was not told: what is up for the simulation does not come up again. */
    private void tellButton(InputRing ring, long timeNanos, int place, int button, boolean down) {
        int bit = 1 << button;
        boolean known = (buttons[place] & bit) != 0;
        InputKind kind = down ? InputKind.BUTTON_DOWN : InputKind.BUTTON_UP;
        if (known != down && ring.offer(timeNanos, kind, place * SdlGamepads.BUTTONS_EACH + button, 0, 0)) {
            buttons[place] ^= bit;
        }
    }

    private void tellAxis(InputRing ring, long timeNanos, int place, int axis, float value) {
        int code = place * SdlGamepads.AXES_EACH + axis;
        if (axes[code] != value && ring.offer(timeNanos, InputKind.AXIS_MOVED, code, value, 0)) {
            axes[code] = value;
        }
    }

    /** SDL's numbers reach one further down than up. */
    private static float stick(short value) {
        return value < 0 ? value / LEAST : value / MOST;
    }

    private int placeOf(int device) {
        for (int place = 0; place < devices.length; place++) {
            if (devices[place] == device) {
                return place;
            }
        }
        return -1;
    }
}
