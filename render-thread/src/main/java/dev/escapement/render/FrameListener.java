package dev.escapement.render;

/**
 * Watches a {@link RenderLoop} at work: each frame, and why drawing ended. Called on the render thread; its run time counts against the
 * frame.
 *
 * @see RenderLoop
 */
public interface FrameListener {

    /**
     * A frame begins, or the loop ends: the view still holds the window of the frame before, for the last time.
     *
     * @param view the view, perhaps without a window
     */
    default void beforeAcquire(FrameView view) {}

    /**
     * A frame was drawn. Instants are the service's clock.
     *
     * @param view           what was shown
     * @param slotNanos      when the frame is to be displayed: the slot it was made for, or by the display's rhythm
     * @param completedNanos when its drawing was complete
     */
    default void drawn(FrameView view, long slotNanos, long completedNanos) {}

    /**
     * Drawing has ended because the backend or this listener threw. Called once, after the backend was closed. Unless overridden, this
     * logs the failure to the {@link System.Logger} {@code dev.escapement.render} at ERROR.
     *
     * @param cause what {@link RenderLoop#failure()} returns
     */
    default void failed(Throwable cause) {
        System.getLogger("dev.escapement.render")
                .log(
                        System.Logger.Level.ERROR,
                        "Drawing has ended, because a frame failed; physics goes on. Fix the cause below, then start another"
                                + " RenderLoop with another view. Override FrameListener.failed to handle this yourself.",
                        cause);
    }
}
