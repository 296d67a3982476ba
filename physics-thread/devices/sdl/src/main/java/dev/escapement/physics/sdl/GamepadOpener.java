package dev.escapement.physics.sdl;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.lwjgl.sdl.SDLError.SDL_GetError;
import static org.lwjgl.sdl.SDLGamepad.SDL_CloseGamepad;
import static org.lwjgl.sdl.SDLGamepad.SDL_GetGamepadGUIDForID;
import static org.lwjgl.sdl.SDLGamepad.SDL_GetGamepadPath;
import static org.lwjgl.sdl.SDLGamepad.SDL_GetGamepadSerial;

import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;
import org.lwjgl.sdl.SDL_GUID;

/**
 * Opens and closes gamepads on a separate thread, because that takes milliseconds.
 *
 * <p>SDL locks all its joysticks while it opens one, and an update of the other joysticks waits for that lock. So each of the two threads
 * takes the turn, a lock of this class, before it uses SDL's joysticks. If the other thread has the turn, the physics thread skips its
 * update; events then wait in the devices' drivers.
 *
 * <p>Physics thread only, unless a method says otherwise.
 */
final class GamepadOpener {

    private static final long LOOK_NANOS = 50_000;
    private static final long END_SECONDS = 2;
    private static final System.Logger LOGGER = System.getLogger("dev.escapement.physics.sdl");

    private final IntToLongFunction open;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread opener = new Thread(work, "escapement-gamepads");
        opener.setDaemon(true);
        return opener;
    });

    // Whether a thread has the turn. It orders nothing else: SDL's own lock orders SDL's data.
    private final AtomicBoolean taken = new AtomicBoolean();

    /** A gamepad that was opened. Its identity is the same after it was unplugged and plugged in again. */
    record Opened(int device, long pointer, String identity) {}

    /** The opened gamepads that the physics thread has not taken. The opener's thread adds each before it ends its turn. */
    final Queue<Opened> ready = new ConcurrentLinkedQueue<>();

    /** The pointers of opened gamepads, by device number. Only the opener's thread uses it. */
    private final Map<Integer, Long> opened = new HashMap<>();

    /**
     * Creates an opener without gamepads.
     *
     * @param open opens a device in SDL and returns its pointer; 0 if it could not
     */
    GamepadOpener(IntToLongFunction open) {
        this.open = open;
    }

    /** Takes the turn for the physics thread, if it is free; then {@link #endTurn()} must follow. Never waits. */
    boolean tryTurn() {
        return taken.compareAndSet(false, true);
    }

    void endTurn() {
        taken.setRelease(false); // release is enough: the next taker's compare-and-set acquires it
    }

    void open(int device) {
        thread.execute(() -> inTurn(() -> {
            long pointer = open.applyAsLong(device);
            if (pointer != 0) {
                opened.put(device, pointer);
                ready.add(new Opened(device, pointer, identity(device, pointer)));
            } else {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "Gamepad {0} cannot be opened and gives no input: {1}. Plug it in again, and see whether this user may"
                                + " read it.",
                        device,
                        SDL_GetError());
            }
        }));
    }

    /** Returns the model, and the serial number; the path of those that have none. Two gamepads of one model differ in the latter. */
    private static String identity(int device, long pointer) {
        try (SDL_GUID model = SDL_GUID.malloc()) {
            String serial = SDL_GetGamepadSerial(pointer);
            return ISO_8859_1.decode(SDL_GetGamepadGUIDForID(device, model).data())
                    + (serial == null || serial.isEmpty() ? SDL_GetGamepadPath(pointer) : serial);
        }
    }

    void close(int device) {
        thread.execute(() -> inTurn(() -> {
            @Nullable Long pointer = opened.remove(device);
            if (pointer != null) {
                SDL_CloseGamepad(pointer);
            }
        }));
    }

    /**
     * Closes all gamepads, runs a last action, and ends the thread. Waits for the end only briefly, because an opening may hang.
     * Idempotent. Any thread may call it.
     */
    void end(Runnable last) {
        if (thread.isShutdown()) {
            return;
        }
        thread.execute(() -> inTurn(() -> {
            opened.values().forEach(pointer -> SDL_CloseGamepad(pointer));
            last.run();
        }));
        thread.shutdown();
        try {
            if (!thread.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
                LOGGER.log(System.Logger.Level.WARNING, "A gamepad still opens or closes; its thread is abandoned.");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt(); // stops waiting; the opener's thread ends by itself
        }
    }

    private void inTurn(Runnable work) {
        while (!taken.compareAndSet(false, true)) {
            LockSupport.parkNanos(LOOK_NANOS); // waits briefly, because an update takes microseconds
        }
        try {
            work.run();
        } finally {
            endTurn();
        }
    }
}
