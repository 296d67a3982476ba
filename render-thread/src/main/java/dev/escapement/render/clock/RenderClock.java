package dev.escapement.render.clock;

import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;

/**
 * Chooses the simulated time that a frame shows: a tick, and alpha between that tick and the next.
 *
 * <pre>shown(t) = simNow(t - C) - h, within the window</pre>
 *
 * <ul>
 *   <li>simNow is the window's timeline, from real to simulated time, and t is when the frame is displayed.
 *   <li>h is one tick. In a pause it falls to 0, so that the still picture shows the newest tick, and the effect of a single step.
 *   <li>C is the interpolation delay: the publish delay, and the lead by which frames are made before their display ("The render clock" in
 *       shared-state/docs/design.md).
 * </ul>
 *
 * <p>The snapshots for t - C are published when the frame is made, so nothing is predicted, and skipped time needs no special case. Only C
 * adapts, to the delays of the last 10 s, and slowly, because each change of C is an animation error.
 *
 * <p>With a {@linkplain Interpolation#lookAhead look-ahead} a frame shows a later moment, predicted from the frame's two ticks and the one
 * before them. It needs no newer snapshot. After a late snapshot, tick and alpha move gradually, so that prediction errors fade.
 *
 * <pre>{@code
 * if (clock.advance(callNanos, displayNanos, reader)) {
 *     Snapshot previous = reader.window().snapshot((int) (clock.tick() - reader.window().oldestTick()));
 *     ... // blend it with the next one by clock.alpha()
 * }
 * }</pre>
 *
 * <p>One rendering thread. Allocates nothing after construction.
 */
public final class RenderClock {

    private final InterpolationDelay delay;
    private final double ticksAhead;
    private boolean hasFrame;
    private long lastCallNanos;
    private long lastDisplayNanos;

    private long tick;
    private float alpha;
    private float aheadTicks;

    /** The instant at which the last frame evaluated the timeline: its display time minus C. */
    private long lastTimelineNanos;

    /** The simulated time of {@link #tick} and {@link #alpha}, which a frame shows unless it looks ahead. */
    private long knownSimNanos;

    private long shownSimNanos;
    private long holds;
    private long clamps;

    /**
     * Creates a clock that learns the interpolation delay.
     *
     * @param interpolation how far to look ahead
     */
    public RenderClock(Interpolation interpolation) {
        this(interpolation, true);
    }

    private RenderClock(Interpolation interpolation, boolean learns) {
        ticksAhead = interpolation.ticksAhead();
        delay = new InterpolationDelay(learns, interpolation.predicts());
    }

    /** {@return a clock for a loop that runs all due ticks right before each frame: C is 0, and nothing is predicted} */
    public static RenderClock inline() {
        return new RenderClock(Interpolation.DEFAULT, false);
    }

    /**
     * Advances to a frame: takes the latest window and chooses the moment to show.
     *
     * <p>The moment never precedes the moment of the last frame. If this throws because of an instant, the reader keeps its window.
     *
     * @param callNanos    when the frame is made, an instant of the service's clock
     * @param displayNanos when it is displayed, if that is known; otherwise {@code callNanos}
     * @param reader       the reader of the windows, the same for every frame
     * @return false if there is no window yet
     * @throws IllegalArgumentException if {@code callNanos} or {@code displayNanos} is before its value for the last frame
     * @throws IllegalStateException    if the reader is used by another thread, or closed
     */
    public boolean advance(long callNanos, long displayNanos, SnapshotReader reader) {
        requireForwards("clock", lastCallNanos, callNanos);
        requireForwards("display time", lastDisplayNanos, displayNanos);
        reader.acquire();
        if (!reader.hasWindow()) {
            return false;
        }
        delay.addLead(callNanos, displayNanos - callNanos);
        Window window = reader.window();
        delay.advance(hasFrame ? callNanos - lastCallNanos : 0, window);
        lastCallNanos = callNanos;
        show(displayNanos, window);
        hasFrame = true;
        return true;
    }

    private void requireForwards(String name, long lastNanos, long nanos) {
        if (hasFrame && nanos - lastNanos < 0) {
            throw new IllegalArgumentException("the " + name + " went backwards by " + (lastNanos - nanos)
                    + " ns from one frame to the next, to " + nanos
                    + "; give every frame an instant of the service's clock, System.nanoTime()");
        }
    }

    private void show(long displayNanos, Window window) {
        Timeline timeline = window.timeline();
        long periodNanos = timeline.rate().nanosAt(1);
        long timelineNanos = displayNanos - delay.nanos();
        long wantedNanos = wantedSimNanos(timelineNanos, window);
        long knownNanos = clampToWindow(wantedNanos, window);
        if (hasFrame) {
            knownNanos = Math.max(knownSimNanos, knownNanos);
        }
        long shownNanos = knownNanos;
        if (ticksAhead > 0) {
            if (hasFrame) {
                long simStep = timeline.simNanosAt(timelineNanos) - timeline.simNanosAt(lastTimelineNanos);
                knownNanos = catchUp(knownNanos, Math.max(displayNanos - lastDisplayNanos, simStep), window);
            }
            long aheadNanos = wantedNanos + Math.round(ticksAhead * periodNanos);
            aheadNanos = Math.min(aheadNanos, timeline.simNanosAt(displayNanos)); // never beyond the simulated time
            long maxNanos = knownNanos + Interpolation.MAX_TICKS_AHEAD * periodNanos;
            shownNanos = Math.max(knownNanos, Math.min(aheadNanos, maxNanos));
        }
        if (hasFrame) {
            shownNanos = Math.max(shownSimNanos, shownNanos);
        }
        lastDisplayNanos = displayNanos;
        lastTimelineNanos = timelineNanos;
        knownSimNanos = knownNanos;
        shownSimNanos = shownNanos;
        setTickAndAlpha(window);
        float ahead = (float) (shownNanos - knownNanos) / periodNanos;
        aheadTicks = Math.min(ahead, Interpolation.MAX_TICKS_AHEAD);
    }

    /**
     * The moment one tick before the timeline's simulated time. In a pause the moment continues to the tick at which time stopped, so that
     * the still picture shows the newest tick, and the effect of a step or a command.
     */
    private static long wantedSimNanos(long timelineNanos, Window window) {
        Timeline timeline = window.timeline();
        long behindNanos = timeline.rate().nanosAt(1);
        if (timeline.originTick() <= window.newestTick()) {
            behindNanos -= Math.min(behindNanos, timeline.pausedNanosAt(timelineNanos));
        }
        return timeline.simNanosAt(timelineNanos) - behindNanos;
    }

    private long clampToWindow(long wantedNanos, Window window) {
        TickRate rate = window.timeline().rate();
        long newestNanos = rate.nanosAt(window.newestTick());
        if (wantedNanos > newestNanos) {
            holds++;
            if (ticksAhead == 0) {
                delay.growFor(wantedNanos - newestNanos, window);
            }
            return newestNanos;
        }
        long oldestNanos = rate.nanosAt(window.oldestTick());
        if (wantedNanos < oldestNanos) {
            clamps++;
            delay.shrinkFor(oldestNanos - wantedNanos, window);
        }
        return Math.max(wantedNanos, oldestNanos);
    }

    /** After a late snapshot, the moment without prediction catches up at twice the speed of time, so that prediction errors fade. */
    private long catchUp(long knownNanos, long stepNanos, Window window) {
        long oldestNanos = window.timeline().rate().nanosAt(window.oldestTick());
        return Math.max(oldestNanos, Math.min(knownNanos, knownSimNanos + 2 * stepNanos));
    }

    private void setTickAndAlpha(Window window) {
        TickRate rate = window.timeline().rate();
        // The newest snapshot has no next one to blend with, so it is always the later of the two blended snapshots.
        tick = Math.min(rate.tickAt(knownSimNanos), window.newestTick() - 1);
        long tickNanos = rate.nanosAt(tick);
        float exactAlpha = (float) (knownSimNanos - tickNanos) / (rate.nanosAt(tick + 1) - tickNanos);
        alpha = Math.min(exactAlpha, 1); // rounding may exceed 1
    }

    /**
     * {@return the earlier of the two ticks that a frame blends; 0 before the first frame} It is the last tick at or before the moment
     * without prediction, but never the window's newest.
     */
    public long tick() {
        return tick;
    }

    /** {@return how far the moment without prediction is after {@link #tick()}, in ticks from 0 to 1} */
    public float alpha() {
        return alpha;
    }

    /**
     * {@return how many ticks the moment shown is after the moment of {@link #tick()} and {@link #alpha()}; 0 to {@value
     * Interpolation#MAX_TICKS_AHEAD}}
     */
    public float aheadTicks() {
        return aheadTicks;
    }

    /**
     * {@return when the last frame is displayed, as passed to the last {@link #advance}: an instant of the service's clock, 0 before the
     * first frame} Use this time to step a camera that follows smoothly.
     */
    public long displayNanos() {
        return lastDisplayNanos;
    }

    /** {@return the moment that the last frame showed, in nanoseconds of simulated time; 0 before the first frame} */
    public long shownSimNanos() {
        return shownSimNanos;
    }

    /** {@return the interpolation delay C as learned so far, in nanoseconds; 0 before the first frame} */
    public long interpolationDelayNanos() {
        return delay.nanos();
    }

    /** {@return how many frames lacked the next snapshot: they show the newest, or extrapolate further with a look-ahead} */
    public long holds() {
        return holds;
    }

    /** {@return how many frames needed an older snapshot than the window has: they show its oldest} */
    public long clamps() {
        return clamps;
    }
}
