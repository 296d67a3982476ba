package dev.escapement.bench.measure;

import dev.escapement.render.clock.RenderClock;
import dev.escapement.state.time.Timeline;

/**
 * Checks independently that each frame draws the time of its clock, and that the picture never stands still while time advances, unless the
 * clock has counted the standstill. A clock that is always one tick off has no animation error; this check finds it.
 *
 * <p>A receiver fills in late ticks, and may learn afterwards that its sender had skipped time before them. Then the picture is ahead of
 * time and waits until time has caught up. These frames are no repeats.
 *
 * <p>One rendering thread.
 */
public final class PictureCheck {

    /** The number of places between two ticks of the metronome that a float can tell apart, at least. */
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
     * @param clock         the clock that chose it
     * @param timeline      the timeline as the frame's window carries it
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
            // A frame that the clock has clamped shows a later moment than due, and the next frame may be due at
            // exactly that moment.
            long wanted = dueSimNanos - timeline.rate().nanosAt(1);
            boolean exact = Math.abs(drawnSimNanos - wanted) <= resolutionNanos;
            boolean ahead = drawnSimNanos > wanted && drawnSimNanos <= aheadSimNanos;
            boolean timeWentOn = dueSimNanos - previousDueNow > 2 * resolutionNanos;
            if (stoodStill && timeWentOn && !exact && !ahead && counted == previousCounted) {
                uncountedRepeats++;
            }
        }
        // In a pause the picture advances to the newest tick, and waits there for the first tick after the pause.
        if (timeline.isPaused()) {
            aheadSimNanos = drawnSimNanos;
        }
        started = true;
        previousDueSimNanos = dueSimNanos;
        previousDrawnSimNanos = drawnSimNanos;
        previousLookNanos = lookNanos;
        previousCounted = counted;
    }

    /** The number of frames that drew another time than their clock's. */
    public long misplacedFrames() {
        return misplacedFrames;
    }

    /** The number of frames that repeated the previous one, although time advanced and the clock had counted nothing. */
    public long uncountedRepeats() {
        return uncountedRepeats;
    }
}
