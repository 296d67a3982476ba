package dev.escapement.render.clock;

import dev.escapement.state.exchange.Window;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;

/**
 * Chooses the simulated time that a frame shows:
 *
 * <pre>shown(t) = simNow(t - C) - h, within the window</pre>
 *
 * where simNow is the window's timeline, t when the frame is displayed, h one tick, and C the cover for the publish delay and
 * for the lead, by which frames are made before they are displayed (section 7 of shared-state/docs/design.md). Everything the timeline needs at t - C has
 * been published by then, so nothing has to be guessed, and pieces where time was given up need no special case. Only C adapts: it is
 * learned from the delays of the last 10 s, slowly, because its own movement is an animation error too.
 *
 * <p>One rendering thread. Allocates nothing after construction.
 */
public final class RenderClock {

    private final DelayCover cover;
    private final float maxExtrapolationTicks;
    private boolean shownBefore;
    private long previousDisplayNanos;

    /** Where on the clock the last frame looked at the timeline: when it was displayed, less the C it had. */
    private long previousLookNanos;

    private long shownSimNanos;
    private long holds;
    private long clamps;
    private long extrapolations;
    private long repeatedTicks;
    private long skippedTicks;

    /** Creates a clock that has shown nothing and never goes beyond the newest snapshot. */
    public RenderClock() {
        this(0);
    }

    /**
     * Creates a clock that has shown nothing.
     *
     * @param maxExtrapolationTicks how far to go on beyond the newest snapshot when the next one is late, in ticks
     */
    public RenderClock(float maxExtrapolationTicks) {
        this(DelayCover.learned(), maxExtrapolationTicks);
    }

    private RenderClock(DelayCover cover, float maxExtrapolationTicks) {
        this.cover = cover;
        this.maxExtrapolationTicks = maxExtrapolationTicks;
    }

    /**
     * Creates a clock for frames that run the ticks themselves, right before they are drawn: what is due has been published, so
     * that nothing has to be covered. C is 0.
     *
     * @return a clock that has shown nothing and never goes beyond the newest snapshot
     */
    public static RenderClock inline() {
        return new RenderClock(DelayCover.none(), 0);
    }

    /**
     * Refuses a frame before anything is done for it, as {@link #show} would.
     *
     * @param nowNanos     when the frame is made
     * @param displayNanos when it is displayed
     * @throws IllegalArgumentException if an instant lies before that of the last frame
     */
    public void check(long nowNanos, long displayNanos) {
        cover.check(nowNanos);
        if (shownBefore && displayNanos - previousDisplayNanos < 0) {
            throw new IllegalArgumentException("the display time went backwards by "
                    + (previousDisplayNanos - displayNanos) + " ns from one frame to the next, to " + displayNanos
                    + "; give every frame an instant of one monotonic clock");
        }
    }

    /**
     * Chooses what a frame shows. Never less than for the frame before.
     *
     * @param nowNanos     when the frame is made, an instant of the service's clock
     * @param displayNanos when it is displayed, as far as that is known; {@code nowNanos} where it is not
     * @param window       the latest window
     * @return nanoseconds of simulated time, within the window unless extrapolated
     * @throws IllegalArgumentException if an instant lies before that of the last frame
     */
    public long show(long nowNanos, long displayNanos, Window window) {
        check(nowNanos, displayNanos);
        cover.frame(nowNanos, displayNanos - nowNanos, window);
        long lookNanos = displayNanos - cover.nanos();
        long shown = within(window, wantedAt(lookNanos, window.timeline()));
        if (shownBefore) {
            shown = Math.max(shownSimNanos, shown);
            count(shown - shownSimNanos, lookNanos, window.timeline());
        }
        shownBefore = true;
        previousDisplayNanos = displayNanos;
        previousLookNanos = lookNanos;
        shownSimNanos = shown;
        return shown;
    }

    private static long wantedAt(long lookNanos, Timeline timeline) {
        return timeline.simNanosAt(lookNanos) - timeline.rate().nanosAt(1);
    }

    private long within(Window window, long wanted) {
        TickRate rate = window.timeline().rate();
        long newest = rate.nanosAt(window.newestTick());
        if (wanted > newest) {
            return beyond(newest, wanted, window);
        }
        long oldest = rate.nanosAt(window.oldestTick());
        if (wanted < oldest) {
            clamps++;
            cover.gone(oldest - wanted, window);
        }
        return Math.max(wanted, oldest);
    }

    private long beyond(long newest, long wanted, Window window) {
        long tickNanos = window.timeline().rate().nanosAt(1);
        long farthest = newest + (long) (maxExtrapolationTicks * (double) tickNanos);
        if (wanted <= farthest) {
            extrapolations++;
        } else {
            holds++;
            cover.missing(wanted - farthest, window);
        }
        return Math.min(wanted, farthest);
    }

    /** Both looks on the newest timeline: time that was given up since was never there to be shown. */
    private void count(long shownStep, long lookNanos, Timeline timeline) {
        if (!timeline.remembers(previousLookNanos)) {
            return;
        }
        long wantedStep = timeline.simNanosAt(lookNanos) - timeline.simNanosAt(previousLookNanos);
        if (shownStep == 0 && wantedStep > 0) {
            repeatedTicks++;
        }
        skippedTicks += Math.max(0, timeline.rate().tickAt(shownStep - wantedStep));
    }

    /**
     * What the last frame showed.
     *
     * @return nanoseconds of simulated time, 0 before the first frame
     */
    public long shownSimNanos() {
        return shownSimNanos;
    }

    /**
     * The cover for the publish delay and the lead, as learned so far.
     *
     * @return C in nanoseconds, 0 before the first frame
     */
    public long coverNanos() {
        return cover.nanos();
    }

    /**
     * How many frames had to stop at the newest snapshot, or at the bound of extrapolation, because the next one was missing.
     *
     * @return frames
     */
    public long holds() {
        return holds;
    }

    /**
     * How many frames showed a time after the newest snapshot, within the bound.
     *
     * @return frames
     */
    public long extrapolations() {
        return extrapolations;
    }

    /**
     * How many frames had to show the oldest snapshot because the one before it was gone.
     *
     * @return frames
     */
    public long clamps() {
        return clamps;
    }

    /**
     * How often a frame showed once more what the frame before had shown, although simulated time went on.
     *
     * @return frames
     */
    public long repeatedTicks() {
        return repeatedTicks;
    }

    /**
     * How many ticks the picture jumped over, because it moved further from one frame to the next than simulated time did.
     *
     * @return whole ticks
     */
    public long skippedTicks() {
        return skippedTicks;
    }
}
