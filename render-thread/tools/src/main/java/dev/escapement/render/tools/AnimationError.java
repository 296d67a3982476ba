package dev.escapement.render.tools;

import dev.escapement.state.time.TimeHistogram;
import dev.escapement.state.time.Timeline;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Measures PresentMon's animation error, with simulated time in place of the application's. A positive error means that the picture moved
 * too far from one frame to the next, a negative one not far enough:
 *
 * <pre>AE = (shown_n - shown_(n-1)) - (simNow(D_n) - simNow(D_(n-1)))</pre>
 *
 * where D_n is when frame n is displayed: the slot it was meant for gives the <em>slot error</em>, the end of its drawing the <em>real
 * error</em>. Use one object for each of these two errors, and never subtract one error from the other. Read the shown time from the
 * picture itself if possible, by the drawn position of a body with constant velocity: that also measures errors of blending.
 *
 * <p>Frames of a pause are left out, from the first one whose timeline has the pause to the one in which the picture moves again. The
 * picture stops and starts later than simulated time, by its constant delay, and this is no error.
 *
 * <pre>{@code
 * AnimationError error = new AnimationError("slot");
 * error.frame(view.clock().shownSimNanos(), view.window().timeline(), slotNanos);   // once a frame
 * double visibleAbove2Millis = error.meanNanos() / 1e6;
 * }</pre>
 *
 * <p>Each frame is an event for JFR, {@code dev.escapement.Frame}.
 *
 * <p>One rendering thread. Allocates nothing after construction.
 *
 * @see <a href="https://github.com/GameTechDev/PresentMon">PresentMon, metric AnimationError</a>
 */
public final class AnimationError {

    private static final int RESOLUTION = 1024;
    private static final double FRAMES = 10_000;

    private final String measure;
    private final @Nullable FrameEvent event = newEvent(); // null on a Java runtime without JFR
    private final TimeHistogram absolute = TimeHistogram.preallocated(RESOLUTION);
    private long absoluteSum;
    private long absoluteMax;
    private long repeats;
    private long skips;
    private long count;
    private long previousShownSimNanos;
    private long previousDisplayedNanos;
    private boolean started;

    /** True if the picture stood still in the last frame, because of a pause. */
    private boolean stands;

    private boolean isPaused;

    /**
     * Creates a measurement without frames.
     *
     * @param measure the name of the measurement in a JFR recording, for example "slot"
     */
    public AnimationError(String measure) {
        this.measure = measure;
    }

    private static @Nullable FrameEvent newEvent() {
        try {
            return new FrameEvent();
        } catch (NoClassDefFoundError withoutJfr) {
            return null;
        }
    }

    /**
     * Adds a frame.
     *
     * @param shownSimNanos  the simulated time that the picture shows
     * @param timeline       the timeline of the frame's window
     * @param displayedNanos when the frame is displayed, an instant of the timeline's clock
     * @return the signed error since the previous frame in nanoseconds; 0, and not counted, for the first frame, in a pause, and if the
     *     timeline does not reach back to the previous frame
     */
    public long frame(long shownSimNanos, Timeline timeline, long displayedNanos) {
        long error = 0;
        boolean stood = stands;
        stands = timeline.isPaused() || (stood && shownSimNanos == previousShownSimNanos);
        isPaused = stands || stood;
        if (started && !isPaused && timeline.remembers(previousDisplayedNanos)) {
            // The newest timeline converts both instants, so that time skipped since the previous frame is no error.
            long trueStep = timeline.simNanosAt(displayedNanos) - timeline.simNanosAt(previousDisplayedNanos);
            long shownStep = shownSimNanos - previousShownSimNanos;
            error = shownStep - trueStep;
            add(Math.abs(error), shownStep, trueStep);
            if (event != null) {
                event.write(measure, error, shownStep, trueStep);
            }
        }
        started = true;
        previousShownSimNanos = shownSimNanos;
        previousDisplayedNanos = displayedNanos;
        return error;
    }

    /** {@return true if the last frame belongs to a pause, whose frames are left out until the picture has moved for a whole frame} */
    public boolean isPaused() {
        return isPaused;
    }

    private void add(long absoluteError, long shownStep, long trueStep) {
        count++;
        absoluteSum += absoluteError;
        absoluteMax = Math.max(absoluteMax, absoluteError);
        absolute.record(absoluteError);
        if (trueStep > 0 && shownStep == 0) {
            repeats++;
        } else if (trueStep > 0 && shownStep >= 2 * trueStep) {
            skips++;
        }
    }

    /** Resets all errors but keeps the last frame. Call it at the end of a warm-up. */
    public void reset() {
        count = 0;
        absoluteSum = 0;
        absoluteMax = 0;
        absolute.reset();
        repeats = 0;
        skips = 0;
    }

    /** Forgets the last frame and keeps all errors. Call it before the first frame of another world. */
    public void restart() {
        started = false;
    }

    /**
     * {@return the number of measured errors, at most one for each frame} The first frame has none, nor has a frame of a pause, nor a frame
     * whose timeline does not reach back to the frame before it.
     */
    public long count() {
        return count;
    }

    /** {@return the mean of the absolute errors, in nanoseconds; 0 without frames} */
    public double meanNanos() {
        return count == 0 ? 0 : (double) absoluteSum / count;
    }

    /**
     * {@return a percentile of the absolute errors, in nanoseconds, with a relative error of at most a thousandth; 0 without frames}
     *
     * @param percentile 0 to 100, 99 is usual
     * @throws IllegalArgumentException if it is out of that range
     */
    public long percentileNanos(double percentile) {
        return absolute.percentile(percentile);
    }

    /** {@return the largest absolute error, in nanoseconds; 0 without frames} */
    public long maxNanos() {
        return absoluteMax;
    }

    /** {@return the number of frames in 10,000 in which the picture stood still although simulated time advanced} */
    public double repeatsPer10000() {
        return count == 0 ? 0 : repeats * FRAMES / count;
    }

    /** {@return the number of frames in 10,000 in which the picture moved at least twice as far as simulated time did} */
    public double skipsPer10000() {
        return count == 0 ? 0 : skips * FRAMES / count;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "AnimationError[mean %.3f ms, p99 %.3f ms, largest %.3f ms, %d frames]",
                meanNanos() / 1e6,
                percentileNanos(99) / 1e6,
                maxNanos() / 1e6,
                count());
    }
}
