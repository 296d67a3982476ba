package dev.escapement.render.clock;

import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;

/**
 * Chooses the moment of simulated time that a frame shows, as a tick and an alpha between it and the next one:
 *
 * <pre>shown(t) = simNow(t - C) - h, within the window</pre>
 *
 * where simNow is the window's timeline, t is when the frame is displayed, and h is one tick, which falls to 0 while time stands still: a
 * picture that stands is the newest, so that it shows what a single step does. C is the interpolation delay: the publish
 * delay, and the lead by which frames are made before they are displayed (section 7 of shared-state/docs/design.md). The snapshots for
 * t - C were published when the frame is made, so nothing is predicted, and skipped time needs no special case. Only C adapts: it is
 * learned from the delays of the last 10 s, and slowly, because each change of it is an animation error.
 *
 * <p>With a {@linkplain Interpolation#lookAhead look-ahead} it shows a later moment, which is predicted from the two ticks of the frame and the one before them. No newer
 * snapshot is needed. After a late snapshot, tick and alpha move gradually, so that prediction errors fade.
 *
 * <pre>{@code
 * if (clock.advance(nowNanos, displayNanos, reader)) {
 *     Snapshot previous = reader.window().snapshot((int) (clock.tick() - reader.window().oldestTick()));
 *     ... // blend it with the next one by clock.alpha()
 * }
 * }</pre>
 *
 * <p>One rendering thread. Allocates nothing after construction.
 */
public final class RenderClock {

    private final InterpolationDelay delay;
    private final Interpolation how;
    private boolean shownBefore;
    private long nowNanos;

    /** Whether {@link #retime} moved the last frame to a later instant. The next display time may then be earlier. */
    private boolean retimed;

    private long displayNanos;
    private long tick;
    private float alpha;

    /** The instant at which the last frame evaluated the timeline: its display time minus C. */
    private long previousTimelineNanos;

    private long shownSimNanos;

    /** The moment that tick and alpha name: the one shown without a look-ahead. */
    private long knownSimNanos;

    private float aheadTicks;
    private long holds;
    private long clamps;

    /**
     * Creates a clock that learns the interpolation delay.
     *
     * @param how whether to look ahead
     */
    public RenderClock(Interpolation how) {
        this(how, true);
    }

    private RenderClock(Interpolation how, boolean learns) {
        this.how = how;
        delay = new InterpolationDelay(learns, how.predicts());
    }

    /** {@return a clock for a loop that runs all due ticks right before each frame: C is 0, and only what is known is shown} */
    public static RenderClock inline() {
        return new RenderClock(Interpolation.DEFAULT, false);
    }

    /**
     * Advances to a frame: takes the latest window and chooses the moment to show, which is never before that of the last frame. If an
     * instant is refused, the reader keeps its window.
     *
     * @param nowNanos     when the frame is made, an instant of the service's clock
     * @param displayNanos when it is displayed, if that is known; otherwise {@code nowNanos}
     * @param reader       the reader of the windows, the same for every frame
     * @return false if there is no window yet
     * @throws IllegalArgumentException if an instant is before that of the last frame
     * @throws IllegalStateException    if the reader is used by another thread, or closed
     */
    public boolean advance(long nowNanos, long displayNanos, SnapshotReader reader) {
        long laterNanos = retimed && displayNanos - this.displayNanos < 0 ? this.displayNanos : displayNanos;
        requireForwards("clock", this.nowNanos, nowNanos);
        requireForwards("display time", this.displayNanos, laterNanos);
        reader.acquire();
        if (!reader.hasWindow()) {
            return false;
        }
        if (!retimed) { // otherwise this frame will be retimed, too
            delay.addLead(nowNanos, laterNanos - nowNanos);
        }
        retimed = false;
        delay.frame(shownBefore ? nowNanos - this.nowNanos : 0, reader.window());
        this.nowNanos = nowNanos;
        show(laterNanos, reader.window());
        shownBefore = true;
        return true;
    }

    /**
     * Moves the last frame to another instant, with the same window. The interpolation delay learns this longer lead.
     *
     * @param newDisplayNanos when it is displayed, not before its last display time
     * @param reader          the reader of the windows
     * @throws IllegalArgumentException if the instant is before that of the last frame
     * @throws IllegalStateException    if there is no frame yet, or the reader is used by another thread, or closed
     */
    public void retime(long newDisplayNanos, SnapshotReader reader) {
        if (!shownBefore) {
            throw new IllegalStateException("there is no frame yet whose time could change; call advance first");
        }
        Window window = reader.window();
        requireForwards("display time", displayNanos, newDisplayNanos);
        delay.addLead(nowNanos, newDisplayNanos - nowNanos);
        retimed = true;
        show(newDisplayNanos, window);
    }

    private void requireForwards(String name, long lastNanos, long newNanos) {
        if (shownBefore && newNanos - lastNanos < 0) {
            throw new IllegalArgumentException("the " + name + " went backwards by " + (lastNanos - newNanos)
                    + " ns from one frame to the next, to " + newNanos
                    + "; give every frame an instant of the service's clock, System.nanoTime()");
        }
    }

    private void show(long newDisplayNanos, Window window) {
        long timelineNanos = newDisplayNanos - delay.nanos();
        long wanted = wantedSimNanos(timelineNanos, window);
        long later = laterSimNanos(newDisplayNanos, window); // before clampToWindow, which may grow the delay
        long known = clampToWindow(window, wanted);
        if (shownBefore) {
            known = Math.max(knownSimNanos, known);
        }
        long shown = known;
        if (how.predicts()) {
            if (shownBefore) {
                known = fadingKnown(known, newDisplayNanos, timelineNanos, window);
            }
            long max = known
                    + Interpolation.MAX_TICKS_AHEAD * window.timeline().rate().nanosAt(1);
            shown = Math.max(known, Math.min(later, max));
        }
        if (shownBefore) {
            shown = Math.max(shownSimNanos, shown);
        }
        displayNanos = newDisplayNanos;
        previousTimelineNanos = timelineNanos;
        knownSimNanos = known;
        shownSimNanos = shown;
        setTickAndAlpha(known, window);
        float ahead = (float) (shown - known) / window.timeline().rate().nanosAt(1);
        aheadTicks = how.predicts() ? Math.min(ahead, Interpolation.MAX_TICKS_AHEAD) : 0;
    }

    /** After a late snapshot, the known moment catches up at twice the speed of time, so that prediction errors fade and do not jump. */
    private long fadingKnown(long known, long newDisplayNanos, long timelineNanos, Window window) {
        Timeline timeline = window.timeline();
        long simStep = timeline.simNanosAt(timelineNanos) - timeline.simNanosAt(previousTimelineNanos);
        long max = knownSimNanos + 2 * Math.max(newDisplayNanos - displayNanos, simStep);
        return Math.max(timeline.rate().nanosAt(window.oldestTick()), Math.min(known, max));
    }

    /**
     * The moment that the look-ahead asks for, never later than simulated time at the display instant. {@link #show} bounds it to
     * {@link Interpolation#MAX_TICKS_AHEAD} beyond what is known.
     */
    private long laterSimNanos(long newDisplayNanos, Window window) {
        Timeline timeline = window.timeline();
        long later = wantedSimNanos(newDisplayNanos - delay.nanos(), window)
                + Math.round(how.ticksAhead() * timeline.rate().nanosAt(1));
        if (how.atMostOldNanos() < Interpolation.ANY_AGE) {
            later = Math.max(later, timeline.simNanosAt(newDisplayNanos - how.atMostOldNanos()));
        }
        return Math.min(later, timeline.simNanosAt(newDisplayNanos));
    }

    private void setTickAndAlpha(long shown, Window window) {
        TickRate rate = window.timeline().rate();
        // The newest snapshot has no next one to blend with, so it is always the current one of its pair.
        tick = Math.min(rate.tickAt(shown), window.newestTick() - 1);
        long previousNanos = rate.nanosAt(tick);
        float exactAlpha = (float) (shown - previousNanos) / (rate.nanosAt(tick + 1) - previousNanos);
        alpha = Math.min(exactAlpha, 1); // rounding
    }

    /**
     * The moment one tick before simulated time. In a pause it continues to the tick at which time stands, so that a picture that stands is
     * the newest, and shows what a step or a command does.
     */
    private static long wantedSimNanos(long timelineNanos, Window window) {
        Timeline timeline = window.timeline();
        long behindNanos = timeline.rate().nanosAt(1);
        if (timeline.originTick() <= window.newestTick()) {
            behindNanos -= Math.min(behindNanos, timeline.pausedNanosAt(timelineNanos));
        }
        return timeline.simNanosAt(timelineNanos) - behindNanos;
    }

    private long clampToWindow(Window window, long wanted) {
        TickRate rate = window.timeline().rate();
        long newest = rate.nanosAt(window.newestTick());
        if (wanted > newest) {
            holds++;
            if (!how.predicts()) {
                delay.missing(wanted - newest, window);
            }
            return newest;
        }
        long oldest = rate.nanosAt(window.oldestTick());
        if (wanted < oldest) {
            clamps++;
            delay.gone(oldest - wanted, window);
        }
        return Math.max(wanted, oldest);
    }

    /**
     * {@return the previous one of the two ticks that a frame blends; 0 before the first frame} It is the last tick at or before the moment
     * without prediction, but not the window's newest.
     */
    public long tick() {
        return tick;
    }

    /** {@return how far the moment without prediction is after {@link #tick()}, in ticks from 0 to 1} */
    public float alpha() {
        return alpha;
    }

    /**
     * {@return by how many ticks the moment shown is predicted, after what {@link #tick()} and {@link #alpha()} say; 0 to {@value
     * Interpolation#MAX_TICKS_AHEAD}}
     */
    public float aheadTicks() {
        return aheadTicks;
    }

    /**
     * {@return when the last frame is displayed, as given to the last {@link #advance} or {@link #retime}: an instant of the service's
     * clock, 0 before the first frame} A camera that follows smoothly should step by this time.
     */
    public long displayNanos() {
        return displayNanos;
    }

    /** {@return the moment that the last frame showed, in nanoseconds of simulated time; 0 before the first frame} */
    public long shownSimNanos() {
        return shownSimNanos;
    }

    /** {@return the interpolation delay C as learned so far, in nanoseconds; 0 before the first frame} */
    public long interpolationDelayNanos() {
        return delay.nanos();
    }

    /** {@return how many frames lacked the next snapshot: they show the newest one, or with a look-ahead extrapolate further} */
    public long holds() {
        return holds;
    }

    /** {@return how many frames had to show the oldest snapshot of the window because they needed an older one} */
    public long clamps() {
        return clamps;
    }
}
