package dev.escapement.render.clock;

import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;

/**
 * Chooses what a frame shows, as a tick and how far the moment lies between it and the next one:
 *
 * <pre>shown(t) = simNow(t - C) - h, within the window</pre>
 *
 * where simNow is the window's timeline, t when the frame is displayed, h one tick, and C the cover for the publish delay and
 * for the lead, by which frames are made before they are displayed (section 7 of shared-state/docs/design.md). Everything the timeline needs at t - C has
 * been published by then, so nothing has to be guessed, and pieces where time was given up need no special case. Only C adapts: it is
 * learned from the delays of the last 10 s, slowly, because its own movement is an animation error too.
 *
 * <pre>{@code
 * if (clock.advance(nowNanos, displayNanos, reader)) {
 *     Snapshot from = reader.window().snapshot((int) (clock.tick() - reader.window().oldestTick()));
 *     ... // blend from it to the next one by clock.alpha()
 * }
 * }</pre>
 *
 * <p>One rendering thread. Allocates nothing after construction.
 */
public final class RenderClock {

    private final DelayCover cover;
    private final float maxExtrapolationTicks;
    private boolean shownBefore;
    private long displayNanos;
    private long tick;
    private float alpha;

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
     * Goes on to a frame: takes the latest window and chooses the moment to show, which is never before that of the last frame. A frame
     * that is refused leaves the window that the reader holds.
     *
     * @param nowNanos     when the frame is made, an instant of the service's clock
     * @param displayNanos when it is displayed, as far as that is known; {@code nowNanos} where it is not
     * @param reader       where the windows come from, the same for every frame
     * @return false if there is no window yet
     * @throws IllegalArgumentException if an instant lies before that of the last frame
     * @throws IllegalStateException    if the reader is used by another thread, or closed
     */
    public boolean advance(long nowNanos, long displayNanos, SnapshotReader reader) {
        requireForwards(nowNanos, displayNanos);
        reader.acquire();
        if (!reader.hasWindow()) {
            return false;
        }
        choose(nowNanos, displayNanos, reader.window());
        return true;
    }

    private void requireForwards(long nowNanos, long newDisplayNanos) {
        cover.check(nowNanos);
        if (shownBefore && newDisplayNanos - displayNanos < 0) {
            throw new IllegalArgumentException("the display time went backwards by " + (displayNanos - newDisplayNanos)
                    + " ns from one frame to the next, to " + newDisplayNanos
                    + "; give every frame an instant of one monotonic clock");
        }
    }

    /** {@link #advance} to a window that is at hand. What it shows, as nanoseconds of simulated time. */
    long show(long nowNanos, long newDisplayNanos, Window window) {
        requireForwards(nowNanos, newDisplayNanos);
        choose(nowNanos, newDisplayNanos, window);
        return shownSimNanos;
    }

    private void choose(long nowNanos, long newDisplayNanos, Window window) {
        cover.frame(nowNanos, newDisplayNanos - nowNanos, window);
        long lookNanos = newDisplayNanos - cover.nanos();
        long shown = within(window, wantedAt(lookNanos, window.timeline()));
        if (shownBefore) {
            shown = Math.max(shownSimNanos, shown);
            count(shown - shownSimNanos, lookNanos, window.timeline());
        }
        shownBefore = true;
        displayNanos = newDisplayNanos;
        previousLookNanos = lookNanos;
        shownSimNanos = shown;
        split(shown, window);
    }

    private void split(long shown, Window window) {
        TickRate rate = window.timeline().rate();
        // The newest snapshot has no successor to blend towards: it is the end of the pair before it.
        tick = Math.min(rate.tickAt(shown), window.newestTick() - 1);
        long fromNanos = rate.nanosAt(tick);
        float exactAlpha = (float) (shown - fromNanos) / (rate.nanosAt(tick + 1) - fromNanos);
        alpha = Math.min(exactAlpha, 1 + maxExtrapolationTicks); // rounding
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
     * The tick before the moment that the last frame showed.
     *
     * @return a tick of the window whose next one is in the window too; 0 before the first frame
     */
    public long tick() {
        return tick;
    }

    /**
     * How far the moment that the last frame showed lies between two ticks.
     *
     * @return 0 for {@link #tick()}, 1 for the one after it, more if extrapolated
     */
    public float alpha() {
        return alpha;
    }

    /**
     * When the last frame was displayed, as far as was known.
     *
     * @return an instant of the service's clock, 0 before the first frame
     */
    public long displayNanos() {
        return displayNanos;
    }

    /**
     * The moment that the last frame showed.
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
