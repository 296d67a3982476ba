package dev.escapement.render.clock;

import dev.escapement.state.time.Timeline;

/**
 * PresentMon's animation error, with simulated time in place of the application's: how much further or less far the
 * picture moved from one frame to the next than it should have,
 *
 * <pre>AE = (shown_n - shown_(n-1)) - (simNow(D_n) - simNow(D_(n-1)))</pre>
 *
 * where D_n is when frame n is displayed: the slot it was meant for gives the <em>slot error</em>, the end of its drawing
 * the <em>real error</em>. Use one object for each, and never subtract one from the other.
 *
 * <p>One rendering thread. Allocates nothing after construction.
 *
 * @see <a href="https://github.com/GameTechDev/PresentMon">PresentMon, metric AnimationError</a>
 */
public final class AnimationError {

    private long count;
    private long absoluteSum;
    private long absoluteMax;
    private long previousShownSimNanos;
    private long previousDisplayedNanos;
    private boolean started;

    /** Creates a measure without frames. */
    public AnimationError() {}

    /**
     * Adds a frame.
     *
     * @param shownSimNanos  the simulated time that the picture shows
     * @param timeline       the timeline as the frame's window carries it
     * @param displayedNanos when the frame is displayed, an instant of the timeline's clock
     * @return the signed error against the frame before in nanoseconds; 0, and not counted, for the first frame and where the
     *         timeline does not reach back to the frame before
     */
    public long frame(long shownSimNanos, Timeline timeline, long displayedNanos) {
        long error = 0;
        if (started && timeline.remembers(previousDisplayedNanos)) {
            // Both instants on the newest timeline: time given up since the frame before was never there to be shown.
            long trueStep = timeline.simNanosAt(displayedNanos) - timeline.simNanosAt(previousDisplayedNanos);
            error = (shownSimNanos - previousShownSimNanos) - trueStep;
            count++;
            absoluteSum += Math.abs(error);
            absoluteMax = Math.max(absoluteMax, Math.abs(error));
        }
        started = true;
        previousShownSimNanos = shownSimNanos;
        previousDisplayedNanos = displayedNanos;
        return error;
    }

    /**
     * How many errors were measured.
     *
     * @return frames, less the first
     */
    public long count() {
        return count;
    }

    /**
     * The mean of the absolute errors.
     *
     * @return nanoseconds, 0 without frames
     */
    public double meanNanos() {
        return count == 0 ? 0 : (double) absoluteSum / count;
    }

    /**
     * The largest absolute error.
     *
     * @return nanoseconds, 0 without frames
     */
    public long maxNanos() {
        return absoluteMax;
    }
}
