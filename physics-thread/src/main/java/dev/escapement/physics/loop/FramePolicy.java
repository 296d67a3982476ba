package dev.escapement.physics.loop;

/**
 * Decides how much time passes in a frame. Game loops differ by it.
 *
 * <p>One thread; a policy that keeps something belongs to one {@link FrameClock}.
 *
 * @see FrameClock
 */
@FunctionalInterface
public interface FramePolicy {

    /**
     * Decides about a frame.
     *
     * @param releasedNanos what all frames before have let pass
     * @param elapsedNanos  real time since the frame before, 0 for the first frame, which never sees the time since start-up
     * @return how much time passes now, nanoseconds, not negative
     */
    long release(long releasedNanos, long elapsedNanos);
}
