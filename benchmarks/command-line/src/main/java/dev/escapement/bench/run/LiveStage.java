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
    private @Nullable LivePage page;

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

    @Override
    public void close() {
        LivePage open = page;
        if (open != null) {
            open.close();
        }
    }
}
