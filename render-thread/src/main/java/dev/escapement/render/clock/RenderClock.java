package dev.escapement.render.clock;

import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;

/**
 * Chooses the simulated time that a frame shows:
 *
 * <pre>shown(t) = simNow(t - C) - h, within the window</pre>
 *
 * where simNow is the window's timeline, h one tick, and C the cover for the publish delay (DESIGN section 7). Everything
 * the timeline needs at t - C has been published by then, so nothing has to be guessed, and pieces where time was given
 * up need no special case. Only C adapts: towards the largest publish delay of the last 10 s plus
 * {@value #SLACK_NANOS} ns (less where ticks are short), within what K snapshots can hold. Its own movement is an animation error too, so it grows by
 * at most 2% of real time and shrinks by at most 0.05%; only a snapshot that is missing makes it grow at once, and that
 * frame is counted as a hold.
 *
 * <p>One rendering thread. Allocates nothing after construction.
 */
public final class RenderClock {

    static final long SLACK_NANOS = 500_000;

    /** Kept free at the old end of the window, so that rounding does not clamp; less where ticks are shorter. */
    private static final long WINDOW_MARGIN_NANOS = 200_000;

    private final RecentDelays delays = new RecentDelays();
    private long coverNanos = Long.MIN_VALUE;

    /** What the window can hold: the smallest recent delay and K - 2 ticks. */
    private long mostCoverNanos;

    private long previousFrameNanos;
    private long shownSimNanos;
    private long newestSeenTick = Long.MIN_VALUE;
    private boolean shownBefore;
    private final float maxExtrapolationTicks;
    private final boolean learns;
    private long holds;
    private long clamps;
    private long extrapolations;

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
        this(maxExtrapolationTicks, true);
    }

    private RenderClock(float maxExtrapolationTicks, boolean learns) {
        this.maxExtrapolationTicks = maxExtrapolationTicks;
        this.learns = learns;
    }

    /**
     * Creates a clock for frames that run the ticks themselves, right before they are drawn: what is due has been published, so
     * that nothing has to be covered. C is 0.
     *
     * @return a clock that has shown nothing and never goes beyond the newest snapshot
     */
    public static RenderClock inline() {
        RenderClock clock = new RenderClock(0, false);
        clock.coverNanos = 0;
        return clock;
    }

    /**
     * Chooses what a frame shows. Never less than for the frame before.
     *
     * @param frameNanos when the frame is displayed, an instant of the service's clock
     * @param window     the latest window
     * @return nanoseconds of simulated time, within the window unless extrapolated
     */
    public long show(long frameNanos, Window window) {
        Timeline timeline = window.timeline();
        TickRate rate = timeline.rate();
        if (learns) {
            learn(frameNanos, window);
            long frameStepNanos = shownBefore ? Math.max(0, frameNanos - previousFrameNanos) : 0;
            moveCover(frameStepNanos, window.size(), rate);
        }
        previousFrameNanos = frameNanos;

        long tickNanos = rate.nanosAt(1);
        long wanted = timeline.simNanosAt(frameNanos - coverNanos) - tickNanos;
        long newest = rate.nanosAt(window.newestTick());
        long oldest = rate.nanosAt(window.oldestTick());
        if (wanted > newest) {
            // Grow by what is missing, so that the next frame does not hold again, but not beyond what the window
            // holds:
            // a longer delay ends in a flat piece of the timeline, and more cover would then clamp at the window's end.
            coverNanos = Math.max(coverNanos, Math.min(coverNanos + (wanted - newest), mostCoverNanos));
            long farthest = newest + (long) (maxExtrapolationTicks * (double) tickNanos);
            if (wanted <= farthest) {
                extrapolations++;
            } else {
                holds++;
            }
            wanted = Math.min(wanted, farthest);
        } else if (wanted < oldest) {
            clamps++;
            wanted = oldest;
        }
        shownSimNanos = shownBefore ? Math.max(shownSimNanos, wanted) : wanted;
        shownBefore = true;
        return shownSimNanos;
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
     * The cover for the publish delay, as learned so far.
     *
     * @return C in nanoseconds
     */
    public long coverNanos() {
        return coverNanos;
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

    private void learn(long frameNanos, Window window) {
        for (int i = 0; i < window.size(); i++) {
            Snapshot snapshot = window.snapshot(i);
            if (snapshot.tick() > newestSeenTick) {
                long delay = snapshot.publishedNanos() - snapshot.dueNanos();
                if (delay >= 0) {
                    delays.add(frameNanos, delay);
                }
                newestSeenTick = snapshot.tick();
            }
        }
    }

    private void moveCover(long frameStepNanos, int windowSize, TickRate rate) {
        if (coverNanos == Long.MIN_VALUE) {
            coverNanos = rate.nanosAt(1) / 2;
        }
        if (delays.isEmpty()) {
            return;
        }
        long smallPartOfATick = rate.nanosAt(1) / 8;
        long margin = Math.min(WINDOW_MARGIN_NANOS, smallPartOfATick);
        mostCoverNanos = Math.max(0, delays.smallest() + rate.nanosAt(windowSize - 2) - margin);
        long slack = Math.min(SLACK_NANOS, smallPartOfATick);
        long target = Math.min(delays.largest() + slack, mostCoverNanos);
        if (target > coverNanos) {
            coverNanos = Math.min(target, coverNanos + frameStepNanos / 50);
        } else {
            coverNanos = Math.max(target, coverNanos - frameStepNanos / 2000);
        }
    }
}
