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
import static org.lwjgl.sdl.SDLGamepad.SDL_GamepadConnected;
import static org.lwjgl.sdl.SDLGamepad.SDL_UpdateGamepads;

import dev.escapement.state.input.InputSink;
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
 * An input source for gamepads that reads SDL's event queue. A press and a release within one tick both arrive, each with SDL's time stamp.
 * Gamepads may be plugged in and unplugged at any time.
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
 * <p><b>Events.</b> {@code BUTTON_DOWN}, {@code BUTTON_UP} and {@code AXIS_MOVED}. Sticks go from -1 (left, up) to 1, triggers from 0 to 1;
 * there is no dead zone. While it is plugged in, a controller has a place from 0: the one that it had before, else the lowest that none
 * had, else the lowest free one. Two of one model are told apart by serial number, or else by port. The 17th has none, and is not read
 * until it is plugged in again. When a controller is unplugged, its buttons come up and its axes return to 0.
 *
 * <p><b>Threads.</b> The physics thread calls {@link #poll}. It never waits for a gamepad to be opened, which happens on a separate thread;
 * meanwhile input waits in the drivers and keeps its time stamps. SDL detects devices in its update, on the physics thread.
 *
 * <p><b>SDL</b> has one event queue per process. So only one source can be open at a time. It takes all gamepad and joystick events, and no
 * other code may take any.
 *
 * @see dev.escapement.state.input.InputState
 */
public final class SdlGamepads implements InputSource {

    /** The maximum number of controllers with a place at a time. */
    public static final int MAX_CONTROLLERS = 16;

    /** The number of button codes of each controller. */
    public static final int BUTTONS_EACH = 32;

    /** The number of axis codes of each controller. */
    public static final int AXES_EACH = 16;

    private static final int BATCH = 64;

    // True while a source is open. Set by compare-and-set, which pairs with the release store after SDL's end: so the
    // next source starts SDL only after that end.
    private static final AtomicBoolean IN_USE = new AtomicBoolean();

    private final SDL_Event.Buffer events = SDL_Event.create(BATCH);
    private final GamepadLevels levels = new GamepadLevels();
    private final SdlTime time;
    final GamepadOpener opener;

    private SdlGamepads(NanoClock clock, IntToLongFunction open) {
        time = new SdlTime(clock, SDLTimer::SDL_GetTicksNS);
        opener = new GamepadOpener(open);
    }

    /**
     * Starts SDL's gamepads, which takes some ten milliseconds. Any thread may call it. The service closes the source.
     *
     * @param clock the service's clock: {@link NanoClock#system()} for a {@code PhysicsService}
     * @return the source of all gamepads, including those that are plugged in later
     * @throws SdlUnavailableException if there is no native library for this platform, or SDL cannot start
     * @throws IllegalStateException   if another source was not closed
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
     * {@return the code of {@code BUTTON_DOWN} and {@code BUTTON_UP} events of a controller's button}
     *
     * @param controller the controller's place, 0 to 15
     * @param button     one of SDL's {@code SDL_GAMEPAD_BUTTON_} numbers
     * @throws IllegalArgumentException if there is no such place or button
     */
    public static int button(int controller, int button) {
        return code(controller, "button", button, BUTTONS_EACH);
    }

    /**
     * {@return the code of {@code AXIS_MOVED} events of a controller's axis}
     *
     * @param controller the controller's place, 0 to 15
     * @param axis       one of SDL's {@code SDL_GAMEPAD_AXIS_} numbers
     * @throws IllegalArgumentException if there is no such place or axis
     */
    public static int axis(int controller, int axis) {
        return code(controller, "axis", axis, AXES_EACH);
    }

    private static int code(int controller, String what, int number, int each) {
        if (controller < 0 || controller >= MAX_CONTROLLERS || number < 0 || number >= each) {
            throw new IllegalArgumentException("controllers are 0 to " + (MAX_CONTROLLERS - 1) + " and " + what
                    + " numbers 0 to " + (each - 1) + ", but this is " + what + " " + number + " of controller "
                    + controller);
        }
        return controller * each + number;
    }

    /**
     * Offers the events since the last poll. A full ring counts each refused attempt; a later poll offers the levels again. Physics thread
     * only. Once compiled, it allocates only when a controller is plugged in or unplugged; before that, LWJGL allocates an object for each
     * native call on Java 25.
     *
     * @param sink takes the events
     * @throws IllegalStateException if SDL gives no events, because other code has ended it
     */
    @Override
    public void poll(InputSink sink) {
        if (opener.tryTurn()) {
            try {
                SDL_UpdateGamepads();
                place();
            } finally {
                opener.endTurn();
            }
        }
        time.calibrate();
        int count;
        do {
            // Takes joystick events too: SDL adds one for each gamepad event, and no other code removes them from the
            // queue.
            count = SDL_PeepEvents(
                    events, SDL_GETEVENT, SDL_EVENT_JOYSTICK_AXIS_MOTION, SDL_EVENT_GAMEPAD_STEAM_HANDLE_UPDATED);
            if (count < 0) {
                throw new IllegalStateException(
                        "SDL gives no events any more, was it ended by someone else? " + SDL_GetError());
            }
            for (int i = 0; i < count; i++) {
                take(sink, events.address(i));
            }
        } while (count == BATCH);
        levels.catchUp(sink, time.latestNanos());
    }

    /** Reads an event by its address, because an object for each event would be garbage. */
    private void take(InputSink sink, long event) {
        switch (SDL_Event.ntype(event)) {
            case SDL_EVENT_GAMEPAD_BUTTON_DOWN, SDL_EVENT_GAMEPAD_BUTTON_UP ->
                levels.button(
                        sink,
                        time.toClock(SDL_GamepadButtonEvent.ntimestamp(event)),
                        SDL_GamepadButtonEvent.nwhich(event),
                        Byte.toUnsignedInt(SDL_GamepadButtonEvent.nbutton(event)),
                        SDL_GamepadButtonEvent.ndown(event));
            case SDL_EVENT_GAMEPAD_AXIS_MOTION ->
                levels.axis(
                        sink,
                        time.toClock(SDL_GamepadAxisEvent.ntimestamp(event)),
                        SDL_GamepadAxisEvent.nwhich(event),
                        Byte.toUnsignedInt(SDL_GamepadAxisEvent.naxis(event)),
                        SDL_GamepadAxisEvent.nvalue(event));
            case SDL_EVENT_GAMEPAD_ADDED -> opener.open(SDL_GamepadDeviceEvent.nwhich(event));
            case SDL_EVENT_GAMEPAD_REMOVED ->
                removed(
                        sink,
                        time.toClock(SDL_GamepadDeviceEvent.ntimestamp(event)),
                        SDL_GamepadDeviceEvent.nwhich(event));
            default -> {
                // Ignores joystick events, and gamepad events that are not needed.
            }
        }
    }

    /** Gives opened gamepads their places, in the turn, because SDL locks its joysticks while another one is opened. */
    private void place() {
        for (GamepadOpener.Opened next = opener.ready.poll(); next != null; next = opener.ready.poll()) {
            // One that was unplugged while it was opened may have sent its last event before.
            if (!SDL_GamepadConnected(next.pointer()) || !levels.add(next.device(), next.identity())) {
                opener.close(next.device());
            }
        }
    }

    private void removed(InputSink sink, long timeNanos, int device) {
        if (levels.remove(sink, timeNanos, device)) {
            opener.close(device);
        }
    }

    /** Closes the gamepads and ends SDL's use of them. Idempotent. Any thread may call it after the last {@link #poll}. */
    @Override
    public void close() {
        opener.end(() -> {
            SdlLibrary.end();
            IN_USE.setRelease(false);
        });
    }
}
