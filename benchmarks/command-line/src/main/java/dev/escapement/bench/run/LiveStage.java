package dev.escapement.bench.run;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.RenderLoop;
import dev.escapement.render.web.LivePage;
import dev.escapement.render.web.LivePageBuilder;
import dev.escapement.state.time.TickRate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A page in the browser, in addition to frames that are made as without a display. */
final class LiveStage extends Stage.Headless {

    private final String title;
    private final int port;
    private final Consumer<String> say;
    private volatile @Nullable LivePage page; // the hook below closes it on another thread

    /** A process that is killed tells open pages. */
    private final Thread atKill = new Thread(this::closePage);

    /**
     * Prepares a page.
     *
     * @param title   the page's title
     * @param port    its port, 0 for any free one
     * @param fps     the frames a second that are made in addition
     * @param say     gets the address of the page, alone on a line
     */
    LiveStage(String title, int port, TickRate fps, Consumer<String> say) {
        super(fps);
        this.title = title;
        this.port = port;
        this.say = say;
    }

    @Override
    public RenderLoop startDrawing(Drawn drawn, FrameView view, FrameListener listener) {
        LivePageBuilder settings =
                LivePage.of(drawn.readers().get()).title(title).port(port).counts(drawn.counts());
        PhysicsService physics = drawn.physics();
        if (physics != null) {
            settings.controls(physics);
        }
        StateHistory history = drawn.history();
        if (history != null) {
            settings.rewinds(history);
        }
        LivePage started = settings.start();
        page = started;
        Runtime.getRuntime().addShutdownHook(atKill);
        say.accept(started.url());
        return super.startDrawing(drawn, view, listener);
    }

    @Override
    public boolean hasPlayer() {
        return true;
    }

    @Override
    public boolean mayRewind() {
        return true;
    }

    private void closePage() {
        LivePage open = page;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() {
        closePage();
        try {
            Runtime.getRuntime().removeShutdownHook(atKill);
        } catch (IllegalStateException ending) {
            // it runs, and finds the page closed
        }
    }
}
