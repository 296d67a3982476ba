package dev.escapement.physics.sdl;

import static org.lwjgl.sdl.SDLError.SDL_GetError;
import static org.lwjgl.sdl.SDLGamepad.SDL_CloseGamepad;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Opens and closes gamepads on a thread of its own, because that takes milliseconds.
 *
 * <p>SDL holds a lock on all its joysticks while it opens one, and an update of the others waits for it. So a thread that uses SDL's joysticks
 * takes a turn first, and the physics thread goes without its update when it is not its turn: what happens meanwhile waits in the
 * devices' drivers.
 *
 * <p>The physics thread calls everything but what says otherwise.
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

    // Decides whose turn it is, and orders nothing: SDL's own lock orders what is SDL's.
    private final AtomicBoolean taken = new AtomicBoolean();

    /** SDL's pointers by the device's number; the opener's thread only. */
    private final Map<Integer, Long> opened = new HashMap<>();

    /**
     * @param open tells SDL to open a device; 0 if it could not
     */
    GamepadOpener(IntToLongFunction open) {
        this.open = open;
    }

    /** Whether the physics thread may use SDL's joysticks now; if so, it has to {@link #endTurn()}. Never waits. */
    boolean tryTurn() {
        return taken.compareAndSet(false, true);
    }

    void endTurn() {
        taken.setRelease(false); // enough to hand on the turn: the taker's compare-and-set acquires it
    }

    void open(int device) {
        thread.execute(() -> inTurn(() -> {
            long pointer = open.applyAsLong(device);
            if (pointer != 0) {
                opened.put(device, pointer);
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

    void close(int device) {
        thread.execute(() -> inTurn(() -> {
            @Nullable Long pointer = opened.remove(device);
            if (pointer != null) {
                SDL_CloseGamepad(pointer);
            }
        }));
    }

    /**
     * Closes all, then does one thing more, and ends the thread. Waits for it, but not for long: an opening may hang. Idempotent. Any
     * thread.
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
                LOGGER.log(System.Logger.Level.WARNING, "A gamepad still opens or closes; its thread is left alone.");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt(); // the thread ends by itself
        }
    }

    private void inTurn(Runnable work) {
        while (!taken.compareAndSet(false, true)) {
            LockSupport.parkNanos(LOOK_NANOS); // an update takes microseconds
        }
        try {
            work.run();
        } finally {
            endTurn();
        }
    }
}
