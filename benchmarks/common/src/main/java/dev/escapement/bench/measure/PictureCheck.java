package dev.escapement.bench.measure;

import dev.escapement.render.clock.RenderClock;
import dev.escapement.state.time.Timeline;

/**
 * Checks two promises of the picture with its own computations: each frame draws the time that its render clock chose, and no frame repeats
 * the previous one while time advances, unless the clock counted the repetition. A clock that is always one tick off has no animation
 * error, but this check finds it.
 *
 * <p>A receiver predicts late ticks, and may learn only afterwards that its sender had skipped time before them. The picture is ahead then,
 * and waits until time has caught up. Such frames do not count as repeated.
 *
 * <p>One rendering thread.
 */
public final class PictureCheck {

    private static final long RESOLUTION = 2_000;

    private long misplacedFrames;
    private long uncountedRepeats;
    private boolean started;
    private long previousDrawnSimNanos;
    private long previousDueSimNanos;
    private long aheadSimNanos = Long.MIN_VALUE;
    private long previousLookNanos;
    private long previousCounted;

    /**
     * Checks a frame.
     *
     * @param drawnSimNanos the simulated time that was drawn
     * @param clock         the render clock that chose the time
     * @param timeline      the timeline of the window that the frame drew
     * @param displayNanos  when the frame is displayed
     */
    public void frame(long drawnSimNanos, RenderClock clock, Timeline timeline, long displayNanos) {
        long counted = clock.holds() + clock.clamps();
        long resolutionNanos = Math.max(1, timeline.rate().nanosAt(1) / RESOLUTION);
        long lookNanos = displayNanos - clock.interpolationDelayNanos();
        if (Math.abs(drawnSimNanos - clock.shownSimNanos()) > resolutionNanos) {
            misplacedFrames++;
        }
        long dueSimNanos = timeline.simNanosAt(lookNanos);
        if (started && timeline.remembers(previousLookNanos)) {
            long previousDueNow = timeline.simNanosAt(previousLookNanos);
            if (previousDueNow < previousDueSimNanos - resolutionNanos) {
                aheadSimNanos = previousDrawnSimNanos;
            }
            boolean stoodStill = drawnSimNanos - previousDrawnSimNanos <= resolutionNanos;
            // A frame with a clamped time shows a later time than its due time. The next frame may be due at just the
            // shown time, and then is right to show it again.
            long wanted = dueSimNanos - timeline.rate().nanosAt(1);
            boolean exact = Math.abs(drawnSimNanos - wanted) <= resolutionNanos;
            boolean ahead = drawnSimNanos > wanted && drawnSimNanos <= aheadSimNanos;
            boolean timeWentOn = dueSimNanos - previousDueNow > 2 * resolutionNanos;
            if (stoodStill && timeWentOn && !exact && !ahead && counted == previousCounted) {
                uncountedRepeats++;
            }
        }
        // In a pause the picture advances to the newest tick, and stays there until the first tick after the pause.
        // This wait is no repetition.
        if (timeline.isPaused()) {
            aheadSimNanos = drawnSimNanos;
        }
        started = true;
        previousDueSimNanos = dueSimNanos;
        previousDrawnSimNanos = drawnSimNanos;
        previousLookNanos = lookNanos;
        previousCounted = counted;
    }

    /** The number of frames that drew another simulated time than their clock chose. */
    public long misplacedFrames() {
        return misplacedFrames;
    }

    /** The number of frames that repeated the previous one while time advanced, without the clock having counted the repetition. */
    public long uncountedRepeats() {
        return uncountedRepeats;
    }
}
