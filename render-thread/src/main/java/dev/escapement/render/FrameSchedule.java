package dev.escapement.render;

/**
 * Decides when a {@link RenderLoop} makes its frames, and knows when they are displayed.
 *
 * <p>One rendering thread. Allocates nothing.
 */
interface FrameSchedule {

    /**
     * Waits until the next frame is to be made.
     *
     * @return false if the loop is to end
     */
    boolean awaitFrame();

    /** When the frame is made, an instant of the clock. */
    long nowNanos();

    /** When the frame is displayed: an estimate of its slot or the display's rhythm. */
    long displayNanos();

    /** How many slots passed without a frame because the previous one took too long, up to the frame awaited last. */
    long missedSlots();

    /** Whether frames are to wait for the display when they are drawn. */
    boolean followsDisplay();
}
