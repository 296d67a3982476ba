package dev.escapement.render;

import java.util.OptionalDouble;

/**
 * Draws the frames of a {@link RenderLoop}, which makes every call on its own thread, so that a graphics context can belong to that thread.
 *
 * @see RenderLoop
 */
public interface RenderBackend {

    /**
     * Sets whether {@link #draw} waits until the display has taken the frame. Called once, before {@link #open()}. A backend that has no
     * display, or cannot wait for it, may ignore this: a loop that follows the display then waits by a timer.
     *
     * @param waits true if the display paces the loop, false if the loop has a given rate
     * @see RenderLoop
     */
    default void waitForDisplay(boolean waits) {}

    /**
     * {@return the rate of the fastest display that may show the frames, in hertz, as the device reports it; empty if the device does not
     * report it} A loop that follows the display asks before the first frame, and then once a second, because a window may move to another
     * display. By this rate the loop recognises frames that were too short to have waited for the display. It learns the actual rate from
     * the frames. A backend for displays above 360 Hz must report the rate: otherwise the loop assumes that three frames in a row of less
     * than 2 ms did not wait, and draws 60 frames a second.
     */
    default OptionalDouble displayHertz() {
        return OptionalDouble.empty();
    }

    /**
     * Prepares for drawing. Called once, before the first frame.
     *
     * @throws Exception if there can be no frames: the loop fails, and {@link RenderLoop#failure()} returns the cause
     */
    default void open() throws Exception {}

    /**
     * Draws a frame. If the display paces the loop, returns once the display has the frame.
     *
     * @param view the world as this frame shows it, valid during this call
     * @throws Exception if there can be no more frames: the loop fails, and {@link RenderLoop#failure()} returns the cause
     */
    void draw(FrameView view) throws Exception;

    /** Frees the resources of {@link #open()}. Called once, after the last frame, also when opening failed. */
    default void close() {}
}
