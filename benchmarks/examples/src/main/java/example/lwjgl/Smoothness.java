package example.lwjgl;

import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.tools.AnimationError;

/** Measures how evenly the picture moves. */
final class Smoothness implements FrameListener {

    private static final int WARM_UP_FRAMES = 30;

    private final AnimationError error = new AnimationError("slot");
    private int frames;

    @Override
    public void drawn(FrameView view, long slotNanos, long completedNanos) {
        error.frame(view.clock().shownSimNanos(), view.window().timeline(), slotNanos);
        if (++frames == WARM_UP_FRAMES) {
            error.reset(); // the view has learned by now how long ticks take
        }
    }

    /** After the render loop was closed: then its thread writes no more. */
    AnimationError error() {
        return error;
    }
}
