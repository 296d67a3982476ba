package dev.escapement.physics.sdl;

import static org.lwjgl.sdl.SDLGamepad.SDL_GAMEPAD_AXIS_LEFT_TRIGGER;

import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputSink;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the place of each controller, the levels of its buttons and axes, and the levels that the ring has accepted. A comparison with the
 * accepted levels shows which levels are new, which buttons of an unplugged controller must come up, and what a full ring has refused.
 *
 * <p>Physics thread only. Allocates nothing.
 */
final class GamepadLevels {

    static final int NO_DEVICE = 0; // SDL counts its devices from 1
    private static final float MAX = Short.MAX_VALUE;
    private static final float LEAST = -(float) Short.MIN_VALUE;

    private final int[] devices = new int[SdlGamepads.MAX_CONTROLLERS];

    /** The identity of the last controller in each place, null if there was none. */
    private final @Nullable String[] identities = new String[SdlGamepads.MAX_CONTROLLERS];

    private final int[] buttons = new int[SdlGamepads.MAX_CONTROLLERS];
    private final float[] axes = new float[SdlGamepads.MAX_CONTROLLERS * SdlGamepads.AXES_EACH];

    private final int[] reportedButtons = new int[SdlGamepads.MAX_CONTROLLERS];
    private final float[] reportedAxes = new float[SdlGamepads.MAX_CONTROLLERS * SdlGamepads.AXES_EACH];

    /** Whether the ring has refused an event since the last {@link #catchUp}. */
    private boolean behind;

    /**
     * Assigns a controller a place: the one that it had before, else the lowest that none had, else the lowest free one. Returns false if
     * all are taken.
     */
    boolean add(int device, String identity) {
        if (placeOf(device) >= 0) {
            return true;
        }
        int best = -1;
        int bestRank = 0;
        for (int place = 0; place < devices.length; place++) {
            int rank = identity.equals(identities[place]) ? 3 : identities[place] == null ? 2 : 1;
            if (devices[place] == NO_DEVICE && rank > bestRank) {
                best = place;
                bestRank = rank;
            }
        }
        if (best >= 0) {
            devices[best] = device;
            identities[best] = identity;
        }
        return best >= 0;
    }

    /** Sets all levels of a controller to 0, and frees its place, which remembers it. Returns false if it has none. */
    boolean remove(InputSink sink, long timeNanos, int device) {
        int place = placeOf(device);
        if (place < 0) {
            return false;
        }
        buttons[place] = 0;
        Arrays.fill(axes, place * SdlGamepads.AXES_EACH, (place + 1) * SdlGamepads.AXES_EACH, 0);
        report(sink, timeNanos, place);
        devices[place] = NO_DEVICE;
        return true;
    }

    void button(InputSink sink, long timeNanos, int device, int button, boolean down) {
        int place = placeOf(device);
        if (place >= 0 && button < SdlGamepads.BUTTONS_EACH) {
            int bit = 1 << button;
            buttons[place] = down ? buttons[place] | bit : buttons[place] & ~bit;
            reportButton(sink, timeNanos, place, button);
        }
    }

    void axis(InputSink sink, long timeNanos, int device, int axis, short value) {
        int place = placeOf(device);
        if (place >= 0 && axis < SdlGamepads.AXES_EACH) {
            boolean trigger = axis >= SDL_GAMEPAD_AXIS_LEFT_TRIGGER;
            int code = place * SdlGamepads.AXES_EACH + axis;
            axes[code] = trigger ? Math.max(0, value) / MAX : stick(value);
            reportAxis(sink, timeNanos, code);
        }
    }

    /**
     * Offers refused levels again, if they still differ from the accepted ones. Call it after the events of a poll, because these are
     * older.
     */
    void catchUp(InputSink sink, long timeNanos) {
        if (behind) {
            behind = false;
            for (int place = 0; place < devices.length; place++) {
                report(sink, timeNanos, place);
            }
        }
    }

    private void report(InputSink sink, long timeNanos, int place) {
        for (int button = 0; button < SdlGamepads.BUTTONS_EACH; button++) {
            reportButton(sink, timeNanos, place, button);
        }
        for (int axis = 0; axis < SdlGamepads.AXES_EACH; axis++) {
            reportAxis(sink, timeNanos, place * SdlGamepads.AXES_EACH + axis);
        }
    }

    private void reportButton(InputSink sink, long timeNanos, int place, int button) {
        int bit = 1 << button;
        if (((buttons[place] ^ reportedButtons[place]) & bit) != 0) {
            InputKind kind = (buttons[place] & bit) != 0 ? InputKind.BUTTON_DOWN : InputKind.BUTTON_UP;
            if (sink.offer(timeNanos, kind, place * SdlGamepads.BUTTONS_EACH + button, 0, 0)) {
                reportedButtons[place] ^= bit;
            } else {
                behind = true;
            }
        }
    }

    private void reportAxis(InputSink sink, long timeNanos, int code) {
        if (axes[code] != reportedAxes[code]) {
            if (sink.offer(timeNanos, InputKind.AXIS_MOVED, code, axes[code], 0)) {
                reportedAxes[code] = axes[code];
            } else {
                behind = true;
            }
        }
    }

    /** Scales a stick to -1 .. 1: SDL's numbers reach from -32768 to 32767. */
    private static float stick(short value) {
        return value < 0 ? value / LEAST : value / MAX;
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
