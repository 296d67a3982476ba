package example.libgdx;

import com.badlogic.gdx.Gdx;
import com.badlogic.gdx.backends.headless.HeadlessApplication;
import com.badlogic.gdx.graphics.g3d.Model;
import example.Launcher;
import example.PlayArguments;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Plays the game for some seconds of simulated time, without a display: {@code LibgdxExample [seconds]}. */
public final class LibgdxExample extends BarrelGame {

    private static final int DEFAULT_SECONDS = 4;
    private static final int TICKS_PER_SECOND = 100;
    private static final int SPAWN_TICK = 50;
    private static final int KICK_TICK = 100;
    private static final int REMOVE_TICK = 150;

    private final long lastTick;
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    private long playedTick;

    private LibgdxExample(int seconds) {
        super(new Model(), new Model());
        lastTick = (long) seconds * TICKS_PER_SECOND;
    }

    public static void main(String[] args) throws Exception {
        Launcher.launch(new PlayArguments(DEFAULT_SECONDS), args, arguments -> {
            LibgdxExample game = playHeadless(arguments.seconds());
            System.out.println(game.impacts() + " impacts heard, " + game.instances().size + " instances at last");
        });
    }

    /** Returns when the game has ended. */
    static LibgdxExample playHeadless(int seconds) {
        LibgdxExample game = new LibgdxExample(seconds);
        new HeadlessApplication(game);
        game.ended.join();
        return game;
    }

    @Override
    public void render() {
        try {
            super.render();
        } catch (RuntimeException failed) {
            ended.completeExceptionally(failed);
            throw failed;
        }
        while (playedTick < shownTick()) {
            switch ((int) ++playedTick) {
                case SPAWN_TICK -> spawnBarrel();
                case KICK_TICK -> kick();
                case REMOVE_TICK -> removeTopBarrel();
                default -> {}
            }
        }
        if (playedTick >= lastTick) {
            Gdx.app.exit();
        }
    }

    @Override
    public void dispose() {
        super.dispose();
        ended.complete(null);
    }
}
