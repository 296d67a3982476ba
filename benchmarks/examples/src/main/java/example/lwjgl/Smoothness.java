package example.lwjgl;

import dev.escapement.render.FrameListener;
import dev.escapement.render.FrameView;
import dev.escapement.render.clock.AnimationError;
import java.util.concurrent.CountDownLatch;

/** Measures how evenly the picture moves, and counts down the frames of a run. */
final class Smoothness implements FrameListener {

    private static final int WARM_UP_FRAMES = 30;

    private final AnimationError error = new AnimationError("slot");
    private final CountDownLatch framesLeft;
    private int frames;

    Smoothness(CountDownLatch framesLeft) {
        this.framesLeft = framesLeft;
    }

    @Override
    public void drawn(FrameView view, long slotNanos, long completedNanos) {
        error.frame(view.clock().shownSimNanos(), view.window().timeline(), slotNanos);
        if (++frames == WARM_UP_FRAMES) {
            error.reset(); // the view has learned by now how long ticks take
        }
        framesLeft.countDown();
    }

    /** After the render loop was closed: then its thread writes no more. */
    AnimationError error() {
        return error;
    }
}
