package dev.escapement.render;

/**
 * Watches a {@link RenderLoop} at work, for measuring. Called on the render thread; its time is the frame's.
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
}
