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

    /** What a float may hide of a place on a floor. */
    private static final long RESOLUTION_NANOS = 5_000;

    private long misplacedFrames;
    private long uncountedRepeats;
    private boolean started;
    private long previousDrawnSimNanos;
    private long previousDisplayNanos;
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
        long counted = clock.holds() + clock.extrapolations();
        long coverNanos = clock.coverNanos();
        if (Math.abs(drawnSimNanos - clock.shownSimNanos()) > RESOLUTION_NANOS) {
            misplacedFrames++;
        }
        if (started && timeline.remembers(previousDisplayNanos - coverNanos)) {
            long due = timeline.simNanosAt(displayNanos - coverNanos)
                    - timeline.simNanosAt(previousDisplayNanos - coverNanos);
            boolean stoodStill = drawnSimNanos - previousDrawnSimNanos <= RESOLUTION_NANOS;
            if (stoodStill && due > 2 * RESOLUTION_NANOS && counted == previousCounted) {
                uncountedRepeats++;
            }
        }
        started = true;
        previousDrawnSimNanos = drawnSimNanos;
        previousDisplayNanos = displayNanos;
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
