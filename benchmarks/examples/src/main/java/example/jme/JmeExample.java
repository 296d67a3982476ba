package example.jme;

import com.jme3.light.AmbientLight;
import com.jme3.light.DirectionalLight;
import com.jme3.math.ColorRGBA;
import com.jme3.math.Vector3f;
import com.jme3.system.AppSettings;
import com.jme3.system.JmeContext;
import example.Arguments;
import java.awt.GraphicsEnvironment;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Plays the game for some seconds of simulated time: {@code JmeExample [seconds]}. It opens a window, or runs the same game without one on
 * a machine without a display.
 */
public final class JmeExample extends CrateYard {

    private static final int DEFAULT_SECONDS = 4;
    private static final int TICKS_PER_SECOND = 100;
    private static final int SPAWN_TICK = 50;
    private static final int KICK_TICK = 100;
    private static final int REMOVE_TICK = 150;

    /** After this many ticks frames show what a command did. */
    private static final int SHOWN_TICKS = 20;

    /** The engine's logger. The field keeps it alive, because an unreferenced logger is garbage-collected and loses its level. */
    private static final Logger ENGINE = Logger.getLogger("com.jme3");

    private long lastTick;
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    long playedTick;

    JmeExample(int seconds) {
        lastTick = (long) seconds * TICKS_PER_SECOND;
    }

    public static void main(String[] args) {
        JmeExample game = new JmeExample(Arguments.seconds(args, DEFAULT_SECONDS));
        game.play(GraphicsEnvironment.isHeadless() ? JmeContext.Type.Headless : JmeContext.Type.Display);
        System.out.println(
                game.impacts() + " impacts heard, " + game.getRootNode().getQuantity() + " spatials at last");
    }

    void play(JmeContext.Type type) {
        // Else jMonkeyEngine warns that loaders of file formats are missing that this example does not need.
        ENGINE.setLevel(Level.SEVERE);
        setSettings(windowSettings());
        start(type);
        ended.join();
    }

    @Override
    public void simpleInitApp() {
        super.simpleInitApp();
        if (getContext().getType() == JmeContext.Type.Display) {
            setUpStage();
        }
    }

    private static AppSettings windowSettings() {
        AppSettings settings = new AppSettings(true);
        settings.setTitle("Crate yard");
        settings.setResolution(1280, 720);
        settings.setAudioRenderer(null); // this example has no sound
        return settings;
    }

    /** Adds a camera, light and the floor, which only a picture needs. */
    private void setUpStage() {
        getCamera().setLocation(new Vector3f(-1, 7, 25));
        getCamera().lookAt(new Vector3f(6, 3, 0), Vector3f.UNIT_Y);
        getRootNode().addLight(new DirectionalLight(new Vector3f(-0.5f, -1, -0.7f).normalizeLocal()));
        getRootNode().addLight(new AmbientLight(ColorRGBA.White.mult(0.35f)));
        getRootNode().attachChild(new YardSpatials(getAssetManager()).floor());
    }

    @Override
    public void simpleUpdate(float secondsPerFrame) {
        super.simpleUpdate(secondsPerFrame);
        while (playedTick < shownTick()) {
            switch ((int) ++playedTick) {
                case SPAWN_TICK -> spawnCrate();
                case KICK_TICK -> kick();
                case REMOVE_TICK -> {
                    removeTopCrate();
                    lastTick = Math.max(lastTick, newestTick() + SHOWN_TICKS); // frames may come late
                }
                default -> {}
            }
        }
        if (playedTick >= lastTick) {
            stop();
        }
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
