package dev.escapement.render.web;

import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.tools.AnimationError;
import dev.escapement.state.time.Timeline;
import dev.escapement.state.world.MetricRing;
import org.jspecify.annotations.Nullable;

/** Records the frames of a view for pages. Render thread, except the ring. Allocates nothing after construction. */
final class FrameFeed implements FrameListener {

    /** A column of the ring. Instants are nanoseconds of the service's clock. */
    enum Metric {
        DISPLAY_NANOS,
        COMPLETED_NANOS,
        SHOWN_SIM_NANOS,
        INTERPOLATION_DELAY_NANOS,
        HOLDS,
        CLAMPS,
        ERROR_NANOS,
        LOOK_BEHIND_NANOS,
        TICK
    }

    private static final int FRAMES = 1024;

    private final MetricRing<Metric> ring = new MetricRing<>(FRAMES, Metric.class);
    private final AnimationError error = new AnimationError("live page");
    private @Nullable FrameView lastView;

    MetricRing<Metric>.Reader newReader() {
        return ring.newReader();
    }

    @Override
    public void drawn(FrameView view, long slotNanos, long completedNanos) {
        if (!view.hasWindow()) {
            return;
        }
        if (view != lastView) {
            error.restart(); // another world has another time
            lastView = view;
        }
        Timeline timeline = view.window().timeline();
        long shownSimNanos = view.clock().shownSimNanos();
        ring.begin();
        ring.set(Metric.DISPLAY_NANOS, slotNanos);
        ring.set(Metric.COMPLETED_NANOS, completedNanos);
        ring.set(Metric.SHOWN_SIM_NANOS, shownSimNanos);
        ring.set(Metric.INTERPOLATION_DELAY_NANOS, view.clock().interpolationDelayNanos());
        ring.set(Metric.HOLDS, view.clock().holds());
        ring.set(Metric.CLAMPS, view.clock().clamps());
        ring.set(Metric.ERROR_NANOS, error.frame(shownSimNanos, timeline, slotNanos));
        ring.set(Metric.LOOK_BEHIND_NANOS, timeline.simNanosAt(slotNanos) - shownSimNanos);
        ring.set(Metric.TICK, view.clock().tick());
        ring.end();
    }
}
