package dev.escapement.render.web;

import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.clock.AnimationError;
import dev.escapement.state.service.FigureRing;
import dev.escapement.state.time.Timeline;

/** Records the frames of a view for pages. Render thread, except the ring. Allocates nothing after construction. */
final class FrameFeed implements FrameListener {

    /** A column of the ring. Instants are nanoseconds of the service's clock. */
    enum Figure {
        DISPLAY_NANOS,
        COMPLETED_NANOS,
        SHOWN_SIM_NANOS,
        COVER_NANOS,
        HOLDS,
        CLAMPS,
        ERROR_NANOS,
        LOOK_BEHIND_NANOS,
        TICK
    }

    private static final int FRAMES = 1024;

    private final FigureRing ring = new FigureRing(FRAMES, Figure.values().length);
    private final AnimationError error = new AnimationError("live page");

    FigureRing.Reader newReader() {
        return ring.newReader();
    }

    @Override
    public void drawn(FrameView view, long slotNanos, long completedNanos) {
        if (!view.hasWindow()) {
            return;
        }
        Timeline timeline = view.window().timeline();
        long shownSimNanos = view.clock().shownSimNanos();
        ring.begin();
        ring.set(Figure.DISPLAY_NANOS, slotNanos);
        ring.set(Figure.COMPLETED_NANOS, completedNanos);
        ring.set(Figure.SHOWN_SIM_NANOS, shownSimNanos);
        ring.set(Figure.COVER_NANOS, view.clock().coverNanos());
        ring.set(Figure.HOLDS, view.clock().holds());
        ring.set(Figure.CLAMPS, view.clock().clamps());
        ring.set(Figure.ERROR_NANOS, error.frame(shownSimNanos, timeline, slotNanos));
        ring.set(Figure.LOOK_BEHIND_NANOS, timeline.simNanosAt(slotNanos) - shownSimNanos);
        ring.set(Figure.TICK, view.shownTick());
        ring.end();
    }
}
