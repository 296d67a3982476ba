package dev.escapement.render;

/**
 * Called by a {@link RenderLoop} for each frame and for a failure, on the render thread; its run time counts against the frame.
 *
 * @see RenderLoop
 */
public interface FrameListener {

    /**
     * Called before a frame acquires a new window, and at the end of the loop: the view still holds the window of the previous frame.
     *
     * @param view the view, perhaps without a window
     */
    default void beforeAcquire(FrameView view) {}

    /**
     * Called after a frame was drawn. All times are instants of the service's clock.
     *
     * @param view           the view, which still shows the frame
     * @param displayNanos   when the frame is displayed: its slot, or an estimate by the display's rhythm
     * @param completedNanos when drawing was complete
     */
    default void drawn(FrameView view, long displayNanos, long completedNanos) {}

    /**
     * Called if drawing has ended because the backend or this listener threw: once, after the backend was closed. Unless overridden, this
     * logs the failure to the {@link System.Logger} {@code dev.escapement.render} at ERROR.
     *
     * @param cause the cause that {@link RenderLoop#failure()} returns
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
