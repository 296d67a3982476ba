package example.jme;

import com.jme3.math.Vector3f;
import com.jme3.scene.Spatial;
import com.jme3.system.JmeContext;
import example.Launcher;
import example.WindowArguments;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Plays the game for some seconds of simulated time, without a display or, with {@code --window}, in a window:
 * {@code JmeExample [--window] [seconds]}. The game is the same.
 */
public final class JmeExample extends CrateYard {

    private static final int DEFAULT_SECONDS = 4;
    private static final int TICKS_PER_SECOND = 100;
    private static final int SPAWN_TICK = 50;
    private static final int KICK_TICK = 100;
    private static final int REMOVE_TICK = 150;

    /** Kept, because the platform forgets the level of a logger that nobody holds. */
    private static final Logger ENGINE = Logger.getLogger("com.jme3");

    private final long lastTick;
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    private long previousTick;

    JmeExample(int seconds) {
        lastTick = (long) seconds * TICKS_PER_SECOND;
    }

    public static void main(String[] args) throws Exception {
        Launcher.launch(new WindowArguments(DEFAULT_SECONDS), args, arguments -> {
            JmeExample game = new JmeExample(arguments.seconds());
            game.play(arguments.window() ? JmeContext.Type.Display : JmeContext.Type.Headless);
            System.out.println(
                    game.impacts() + " impacts heard, " + game.getRootNode().getQuantity() + " spatials at last");
        });
    }

    /** Returns when the game has ended. */
    void play(JmeContext.Type type) {
        ENGINE.setLevel(Level.SEVERE); // it misses the loaders of file formats that nobody needs here
        setSettings(YardStage.settings());
        start(type);
        ended.join();
    }

    @Override
    public void simpleInitApp() {
        super.simpleInitApp();
        if (getContext().getType() == JmeContext.Type.Display) {
            YardStage.setUp(this);
        }
    }

    @Override
    public void simpleUpdate(float secondsPerFrame) {
        super.simpleUpdate(secondsPerFrame);
        long tick = shownTick();
        if (isReached(SPAWN_TICK, tick)) {
            spawnCrate();
        }
        if (isReached(KICK_TICK, tick)) {
            kick();
        }
        if (isReached(REMOVE_TICK, tick)) {
            removeTopCrate();
        }
        if (tick / TICKS_PER_SECOND != previousTick / TICKS_PER_SECOND) {
            Spatial platform = getRootNode().getChild("platform");
            Vector3f place = platform.getLocalTranslation();
            System.out.printf("tick %d: the platform is at %.2f m, %d impacts%n", tick, place.y, impacts());
        }
        previousTick = tick;
        if (tick >= lastTick) {
            stop();
        }
    }

    private boolean isReached(long when, long tick) {
        return previousTick < when && when <= tick;
    }

    @Override
    public void handleError(String message, @Nullable Throwable cause) {
        ended.completeExceptionally(new IllegalStateException(message, cause));
        stop();
    }

    @Override
    public void destroy() {
        super.destroy();
        ended.complete(null);
    }
}
