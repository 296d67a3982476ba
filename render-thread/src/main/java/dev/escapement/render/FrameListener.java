package dev.escapement.render;

/**
 * Receives each frame and the failure of a {@link RenderLoop}, on the render thread. Slow methods make the loop miss frames.
 *
 * @see RenderLoop
 */
public interface FrameListener {

    /**
     * Called before a frame acquires a window of snapshots, and at the end of a loop that has not failed. The view still holds the previous
     * frame's window.
     *
     * @param view the view; it has no window before the first frame
     */
    default void beforeAcquire(FrameView view) {}

    /**
     * Called after a frame was drawn. All times are instants of the service's clock.
     *
     * @param view           the view, which still shows the frame
     * @param displayNanos   when the frame is displayed: the instant of the frame's slot in a loop with a given rate, otherwise an estimate
     *                       from the display's rhythm
     * @param completedNanos when drawing was complete
     */
    default void drawn(FrameView view, long displayNanos, long completedNanos) {}

    /**
     * Called once, after the backend was closed, if drawing has ended because the backend or this listener threw. Unless overridden, logs
     * the failure to the {@link System.Logger} {@code dev.escapement.render} at ERROR.
     *
     * @param cause the cause that {@link RenderLoop#failure()} returns
     */
    default void failed(Throwable cause) {
        System.getLogger("dev.escapement.render")
                .log(
                        System.Logger.Level.ERROR,
                        "Drawing has ended, because a frame failed; physics continues. Fix the cause below, then start another"
                                + " RenderLoop with another view. Override FrameListener.failed to handle this yourself.",
                        cause);
    }
}
