package dev.escapement.physics.sdl;

import static org.lwjgl.sdl.SDLError.SDL_GetError;
import static org.lwjgl.sdl.SDLEvents.SDL_EVENT_GAMEPAD_ADDED;
import static org.lwjgl.sdl.SDLEvents.SDL_EVENT_GAMEPAD_AXIS_MOTION;
import static org.lwjgl.sdl.SDLEvents.SDL_EVENT_GAMEPAD_BUTTON_DOWN;
import static org.lwjgl.sdl.SDLEvents.SDL_EVENT_GAMEPAD_BUTTON_UP;
import static org.lwjgl.sdl.SDLEvents.SDL_EVENT_GAMEPAD_REMOVED;
import static org.lwjgl.sdl.SDLEvents.SDL_EVENT_GAMEPAD_STEAM_HANDLE_UPDATED;
import static org.lwjgl.sdl.SDLEvents.SDL_EVENT_JOYSTICK_AXIS_MOTION;
import static org.lwjgl.sdl.SDLEvents.SDL_GETEVENT;
import static org.lwjgl.sdl.SDLEvents.SDL_PeepEvents;
import static org.lwjgl.sdl.SDLGamepad.SDL_UpdateGamepads;

import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.time.NanoClock;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntToLongFunction;
import org.lwjgl.sdl.SDLGamepad;
import org.lwjgl.sdl.SDLTimer;
import org.lwjgl.sdl.SDL_Event;
import org.lwjgl.sdl.SDL_GamepadAxisEvent;
import org.lwjgl.sdl.SDL_GamepadButtonEvent;
import org.lwjgl.sdl.SDL_GamepadDeviceEvent;

/**
 * Gamepads, read by the physics thread through SDL's queue of events: a press and a release within one tick are both seen, each with
 * the time SDL gave it. Gamepads may come and go.
 *
 * <pre>{@code
 * PhysicsService physics = PhysicsService.builder(simulation)
 *         .source(SdlGamepads.open(NanoClock.system()))
 *         .start();
 * ...
 * boolean jump = tick.input().state().isButtonDown(SdlGamepads.button(0, SDL_GAMEPAD_BUTTON_SOUTH));
 * float steer = tick.input().state().axis(SdlGamepads.axis(0, SDL_GAMEPAD_AXIS_LEFTX));
 * }</pre>
 *
 * <p><b>Events.</b> {@code BUTTON_DOWN}, {@code BUTTON_UP} and {@code AXIS_MOVED}. Sticks go from -1 (left, up) to 1, triggers from 0
 * to 1; there is no dead zone. A controller has the lowest free place from 0 as long as it is plugged in; the 17th has none, and is
 * not read until it is plugged in again. What a controller held when it was unplugged comes up, and its axes return to 0.
 *
 * <p><b>Threads.</b> {@link #poll} is the physics thread's. It never waits for a gamepad to be opened, which happens on a thread of its
 * own; meanwhile input waits in the drivers and comes with its stamps. Devices are found within SDL's update, on the physics
 * thread.
 *
 * <p><b>SDL</b> has one queue in a process, so there is one of these at a time, and nothing else may take gamepad and joystick events
 * from it: they are all taken here.
 *
 * @see dev.escapement.state.input.InputState
 */
public final class SdlGamepads implements InputSource {

    /** How many controllers have a place at a time. */
    public static final int MOST_CONTROLLERS = 16;

    /** How many button codes each controller has. */
    public static final int BUTTONS_EACH = 32;

    /** How many axis codes each controller has. */
    public static final int AXES_EACH = 16;

    private static final int BATCH = 64;

    // Compare-and-set to take it; the release that gives it back follows SDL's end, which the next start acquires.
    private static final AtomicBoolean IN_USE = new AtomicBoolean();

    private final SDL_Event.Buffer events = SDL_Event.create(BATCH);
    private final GamepadLevels levels = new GamepadLevels();
    private final SdlTime time;
    private final GamepadOpener opener;

    private SdlGamepads(NanoClock clock, IntToLongFunction open) {
        time = new SdlTime(clock, SDLTimer::SDL_GetTicksNS);
        opener = new GamepadOpener(open);
    }

    /**
     * Starts SDL's gamepads, which takes some ten milliseconds. Any thread. The service that gets them closes them.
     *
     * @param clock the service's: {@link NanoClock#system()} for a {@code PhysicsService}
     * @return the gamepads, those that are plugged in already and those to come
     * @throws SdlUnavailableException if there is no native library for this platform, or SDL cannot start
     * @throws IllegalStateException   if there are others that were not closed
     */
    public static SdlGamepads open(NanoClock clock) {
        return open(clock, SDLGamepad::SDL_OpenGamepad);
    }

    static SdlGamepads open(NanoClock clock, IntToLongFunction open) {
        if (!IN_USE.compareAndSet(false, true)) {
            throw new IllegalStateException(
                    "SDL has one queue of gamepad events, and it is in use: close the service that has the other SdlGamepads first");
        }
        boolean started = false;
        try {
            SdlLibrary.start();
            started = true;
            return new SdlGamepads(clock, open);
        } catch (Throwable unavailable) {
            if (started) {
                SdlLibrary.end();
            }
            IN_USE.setRelease(false);
            throw unavailable;
        }
    }

    /**
     * The code of a controller's button.
     *
     * @param controller its place, 0 to 15
     * @param button     one of SDL's {@code SDL_GAMEPAD_BUTTON_} numbers
     * @return what {@code BUTTON_DOWN} and {@code BUTTON_UP} carry
     * @throws IllegalArgumentException if there is no such place or button
     */
    public static int button(int controller, int button) {
        return code(controller, "button", button, BUTTONS_EACH);
    }

    /**
     * The code of a controller's axis.
     *
     * @param controller its place, 0 to 15
     * @param axis       one of SDL's {@code SDL_GAMEPAD_AXIS_} numbers
     * @return what {@code AXIS_MOVED} carries
     * @throws IllegalArgumentException if there is no such place or axis
     */
    public static int axis(int controller, int axis) {
        return code(controller, "axis", axis, AXES_EACH);
    }

    private static int code(int controller, String what, int number, int each) {
        if (controller < 0 || controller >= MOST_CONTROLLERS || number < 0 || number >= each) {
            throw new IllegalArgumentException("controllers are 0 to " + (MOST_CONTROLLERS - 1) + " and " + what
                    + " numbers 0 to " + (each - 1) + ", but this is " + what + " " + number + " of controller "
                    + controller);
        }
        return controller * each + number;
    }

    /**
     * Offers what has happened. What a full ring refuses it counts, at each attempt; what is held is told by a
     * later poll. Physics thread only. Once compiled, allocates only when a controller comes or goes; on Java 25 LWJGL
     * makes an object for each native call until then.
     *
     * @param ring where to offer
     * @throws IllegalStateException if SDL gives no events, because someone has ended it
     */
    @Override
    public void poll(InputRing ring) {
        if (opener.tryTurn()) {
            try {
                SDL_UpdateGamepads();
            } finally {
                opener.endTurn();
            }
        }
        time.calibrate();
        int count;
        do {
            // Joysticks' events too: each gamepad event has one beside it, and nothing else would ever empty the queue
            // of them.
            count = SDL_PeepEvents(
                    events, SDL_GETEVENT, SDL_EVENT_JOYSTICK_AXIS_MOTION, SDL_EVENT_GAMEPAD_STEAM_HANDLE_UPDATED);
            if (count < 0) {
                throw new IllegalStateException(
                        "SDL gives no events any more, was it ended by someone else? " + SDL_GetError());
            }
            for (int i = 0; i < count; i++) {
                take(ring, events.address(i));
            }
        } while (count == BATCH);
        levels.catchUp(ring, time.latestNanos());
    }

    /** By address: an object for each event would be garbage. */
    private void take(InputRing ring, long event) {
        switch (SDL_Event.ntype(event)) {
            case SDL_EVENT_GAMEPAD_BUTTON_DOWN, SDL_EVENT_GAMEPAD_BUTTON_UP ->
                levels.button(
                        ring,
                        time.toClock(SDL_GamepadButtonEvent.ntimestamp(event)),
                        SDL_GamepadButtonEvent.nwhich(event),
                        Byte.toUnsignedInt(SDL_GamepadButtonEvent.nbutton(event)),
                        SDL_GamepadButtonEvent.ndown(event));
            case SDL_EVENT_GAMEPAD_AXIS_MOTION ->
                levels.axis(
                        ring,
                        time.toClock(SDL_GamepadAxisEvent.ntimestamp(event)),
                        SDL_GamepadAxisEvent.nwhich(event),
                        Byte.toUnsignedInt(SDL_GamepadAxisEvent.naxis(event)),
                        SDL_GamepadAxisEvent.nvalue(event));
            case SDL_EVENT_GAMEPAD_ADDED -> added(SDL_GamepadDeviceEvent.nwhich(event));
            case SDL_EVENT_GAMEPAD_REMOVED ->
                removed(
                        ring,
                        time.toClock(SDL_GamepadDeviceEvent.ntimestamp(event)),
                        SDL_GamepadDeviceEvent.nwhich(event));
            default -> {
                // a joystick's, or of no interest here
            }
        }
    }

    private void added(int device) {
        if (levels.add(device)) {
            opener.open(device);
        }
    }

    private void removed(InputRing ring, long timeNanos, int device) {
        if (levels.remove(ring, timeNanos, device)) {
            opener.close(device);
        }
    }

    /** Closes the gamepads and ends SDL's part in them. Idempotent. Any thread, after the last {@link #poll}. */
    @Override
    public void close() {
        opener.end(() -> {
            SdlLibrary.end();
            IN_USE.setRelease(false);
        });
    }
}
