package dev.escapement.render;

/**
 * A renderer. A {@link RenderLoop} makes every call on its thread, so that a graphics context can live there.
 *
 * @see RenderLoop
 */
public interface RenderBackend {

    /**
     * Is told, once, before {@link #open()}, whether {@link #draw} is to return only when the display has taken the frame. A backend
     * without a display, or that cannot wait for it, has nothing to do: a loop that follows the display waits itself, then.
     *
     * @param waits true if the display paces the loop, false if the loop has a rate of its own
     * @see RenderLoop
     */
    default void waitForDisplay(boolean waits) {}

    /**
     * Gets ready, once, before the first frame.
     *
     * @throws Exception if there can be no frames: the loop fails and shows the cause
     */
    default void open() throws Exception {}

    /**
     * Draws a frame. Returns when the frame is handed over to the display.
     *
     * @param view the world as this frame shows it, valid during this call
     * @throws Exception if there can be no more frames: the loop fails and shows the cause
     */
    void draw(FrameView view) throws Exception;

    /** Frees what {@link #open()} acquired. Called once, after the last frame, also when opening failed. */
    default void close() {}
}
