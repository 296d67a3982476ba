package example.platformer;

import com.badlogic.gdx.Game;
import com.badlogic.gdx.backends.lwjgl3.Lwjgl3Application;
import com.badlogic.gdx.backends.lwjgl3.Lwjgl3ApplicationConfiguration;
import com.badlogic.gdx.utils.GdxRuntimeException;
import dev.escapement.state.time.NanoClock;

/** Opens the game's window. */
public final class PlatformerExample extends Game {

    public static void main(String[] args) {
        Lwjgl3ApplicationConfiguration window = new Lwjgl3ApplicationConfiguration();
        window.setTitle("Platformer");
        window.setWindowedMode(1280, 720);
        window.useVsync(true);
        PlatformerExample game = new PlatformerExample();
        try {
            new Lwjgl3Application(game, window);
        } catch (GdxRuntimeException failed) {
            if (game.getScreen() != null) {
                throw failed;
            }
            System.err.println("no window: " + failed.getMessage() + "; set DISPLAY, or run it under Xvfb (xvfb-run)");
            System.exit(2);
        }
    }

    @Override
    public void create() {
        setScreen(new Platformer(NanoClock.system(), Platformer::start));
    }

    @Override
    public void dispose() {
        getScreen().dispose(); // libGDX's Game hides its screen at the end but does not dispose it
    }
}
