package dev.escapement.bench.measure;

import dev.escapement.render.clock.RenderClock;
import dev.escapement.state.time.Timeline;

/**
 * Checks from outside that each frame draws the time its clock says, and that the picture never stands still while time goes on unless
 * the clock has counted it. A clock that is always one tick off has no animation error; here it is found.
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
        long lookNanos = displayNanos - clock.coverNanos();
        if (Math.abs(drawnSimNanos - clock.shownSimNanos()) > resolutionNanos) {
            misplacedFrames++;
        }
        if (started && timeline.remembers(previousLookNanos)) {
            long due = timeline.simNanosAt(lookNanos) - timeline.simNanosAt(previousLookNanos);
            boolean stoodStill = drawnSimNanos - previousDrawnSimNanos <= resolutionNanos;
            // After a clamp, which is counted and shows more than is due, a frame may be due just there.
            long wanted = timeline.simNanosAt(lookNanos) - timeline.rate().nanosAt(1);
            boolean exact = Math.abs(drawnSimNanos - wanted) <= resolutionNanos;
            if (stoodStill && due > 2 * resolutionNanos && !exact && counted == previousCounted) {
                uncountedRepeats++;
            }
        }
        started = true;
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
