package dev.escapement.bench.measure;

import dev.escapement.render.clock.RenderClock;
import dev.escapement.state.time.Timeline;

/**
 * Checks from outside that each frame draws the time its clock says, and that the picture never stands still while time goes on unless
 * the clock has counted it. A clock that is always one tick off has no animation error; here it is found.
 *
 * <p>A receiver fills in ticks that are late, and may learn afterwards that its sender had skipped time before them. Then the picture is
 * ahead of its time and waits for it: no repeat.
 *
 * <p>One rendering thread.
 */
public final class PictureCheck {

    /** What a float may hide of a place on a floor, as a part of a tick. */
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
        long counted = clock.holds() + clock.extrapolations() + clock.clamps();
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
            // After a clamp, which is counted and shows more than is due, a frame may be due just there.
            long wanted = dueSimNanos - timeline.rate().nanosAt(1);
            boolean exact = Math.abs(drawnSimNanos - wanted) <= resolutionNanos;
            boolean ahead = drawnSimNanos > wanted && drawnSimNanos <= aheadSimNanos;
            boolean timeWentOn = dueSimNanos - previousDueNow > 2 * resolutionNanos;
            if (stoodStill && timeWentOn && !exact && !ahead && counted == previousCounted) {
                uncountedRepeats++;
            }
        }
        started = true;
        previousDueSimNanos = dueSimNanos;
        previousDrawnSimNanos = drawnSimNanos;
        previousLookNanos = lookNanos;
        previousCounted = counted;
    }

    /** How many frames drew another time than their clock said. */
    public long misplacedFrames() {
        return misplacedFrames;
    }

    /** How many frames drew what the frame before had drawn, although time went on and the clock had counted nothing. */
    public long uncountedRepeats() {
        return uncountedRepeats;
    }
}
