package dev.escapement.render.gameloop;

/**
 * Decides how much time passes in a frame, which is what distinguishes game loops.
 *
 * <p>One thread; a policy with state belongs to one {@link FrameClock}.
 *
 * @see FrameClock
 */
@FunctionalInterface
public interface FramePolicy {

    /**
     * Decides how much time passes in a frame.
     *
     * @param releasedNanos how much time all earlier frames have released
     * @param elapsedNanos  real time since the frame before; 0 for the first frame
     * @return how much time passes in this frame, nanoseconds, not negative
     */
    long release(long releasedNanos, long elapsedNanos);
}
