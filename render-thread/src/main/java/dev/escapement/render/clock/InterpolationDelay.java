package dev.escapement.render.clock;

import dev.escapement.state.exchange.Window;
import dev.escapement.state.internal.RecentExtremes;
import dev.escapement.state.time.Timeline;

/**
 * Learns the interpolation delay C of a {@link RenderClock}. A frame shows the simulated time of an instant C before its display, so that
 * its snapshots are already published when the frame is made.
 *
 * <pre>target = largest publish delay + largest lead, both of the last 10 s, + slack, at most what windows of K snapshots allow</pre>
 *
 * <p>C starts at its target, grows by at most 2% of real time and shrinks by at most 0.05%. Above the limit that the window sets, C shrinks
 * faster, by 2% to 12.5% of real time, so that an excess of up to an eighth of a tick is gone within a tick. C jumps only while the picture
 * stands still anyway: up if a newer snapshot is missing, down if an older one is gone.
 *
 * <p>One rendering thread. Allocates nothing after construction.
 */
final class InterpolationDelay {

    /** The slack in the target of C. It is at most an eighth of a tick. */
    static final long SLACK_NANOS = 500_000;

    /** Subtracted from the largest C, so that rounding errors do not cost a frame its older snapshot; at most an eighth of a tick. */
    private static final long WINDOW_MARGIN_NANOS = 200_000;

    /** A longer frame changes C no more than a frame of this length, so that a stall does not make C jump. */
    private static final long LONGEST_SLEW_NANOS = 50_000_000;

    // C changes by at most 1 ns in this many nanoseconds of real time: FAST_SLEW to grow, SLOW_SLEW to shrink. Above
    // maxNanos it shrinks faster, by FAST_SLEW at least.
    private static final long FAST_SLEW = 50;
    private static final long SLOW_SLEW = 2000;

    private static final double FASTEST_SHRINK = 0.125;

    // RecentExtremes remembers ten slices, that is, 10 s or 1 s.
    private static final long LONG_SLICE_NANOS = 1_000_000_000;
    private static final long SHORT_SLICE_NANOS = 100_000_000;

    private final boolean learns;
    private final boolean looksAhead;
    private final RecentExtremes leads = new RecentExtremes(LONG_SLICE_NANOS);
    private final RecentExtremes latestLeads = new RecentExtremes(SHORT_SLICE_NANOS);
    private boolean started;
    private long nanos;
    private long targetNanos;

    /**
     * The largest C for which a window of K snapshots still has the older snapshot of a frame: the smallest recent publish delay, plus the
     * smallest recent lead, plus K - 2 ticks (K - 3 with a look-ahead), minus a margin. With K = 2, the mean delay replaces the smallest
     * delay, with which nearly every frame would lack its newer snapshot.
     */
    private long maxNanos;

    private long newestTick;

    /** The excess of C over {@link #maxNanos} when the newest tick arrived. It must be gone when the next tick arrives. */
    private long excessNanos;

    // While the newer snapshot of a frame is missing: the value of C before, and the newest tick that the window has.
    private boolean isMissing;
    private long nanosBeforeMissing;
    private long missingAfterTick;

    /** Creates a delay of 0, which stays 0 unless it learns. */
    InterpolationDelay(boolean learns, boolean looksAhead) {
        this.learns = learns;
        this.looksAhead = looksAhead;
    }

    long nanos() {
        return nanos;
    }

    /** Learns how long before its display a frame is made. */
    void addLead(long callNanos, long leadNanos) {
        if (learns) {
            // A negative lead means that the frame was made after its display time. As the smallest lead, it would keep
            // C below the publish delay, and all frames of the next second would lack their newer snapshot.
            long usualNanos = Math.max(0, leadNanos);
            leads.add(callNanos, usualNanos);
            latestLeads.add(callNanos, usualNanos);
        }
    }

    /** Learns from the window of a frame, and moves C towards its target. Call {@link #addLead} for the frame first. */
    void advance(long sinceLastNanos, Window window) {
        if (learns) {
            updateTarget(window);
            if (!started) {
                started = true;
                nanos = targetNanos;
            }
            if (isMissing && window.newestTick() > missingAfterTick) { // the missing snapshot has come
                isMissing = false;
                // The target includes its delay. If it was not late, because time was skipped, C falls back.
                nanos = Math.max(nanosBeforeMissing, Math.min(nanos, targetNanos));
            }
            slew(Math.min(sinceLastNanos, LONGEST_SLEW_NANOS), window);
        }
    }

    private void updateTarget(Window window) {
        long periodNanos = periodNanos(window);
        if (window.largestDelayNanos() == Long.MIN_VALUE) {
            maxNanos = smallestLead(periodNanos) + periodNanos;
            targetNanos = leads.largest() + periodNanos / 2;
            return;
        }
        long smallPartOfAPeriod = periodNanos / 8;
        long margin = Math.min(WINDOW_MARGIN_NANOS, smallPartOfAPeriod);
        long slack = Math.min(SLACK_NANOS, smallPartOfAPeriod);
        int spare = looksAhead ? 3 : 2; // a look-ahead also needs the tick before the two that it blends
        // For each tick, exactly one C lets a frame find both of its snapshots in a window of two. With the mean delay,
        // frames lack the newer snapshot after a late tick about as often as the older one after an early tick.
        long held = window.size() == 2
                ? window.meanDelayNanos()
                : window.smallestDelayNanos() + (window.size() - spare) * periodNanos - margin;
        maxNanos = Math.max(0, held) + smallestLead(periodNanos);
        targetNanos = Math.min(window.largestDelayNanos() + leads.largest() + slack, maxNanos);
    }

    /**
     * Returns the smallest lead of the last 10 s. After a lasting rise, it returns the smallest lead of the last second, because otherwise
     * the lead from before the rise would keep C too small.
     */
    private long smallestLead(long periodNanos) {
        long risen = latestLeads.smallest() - leads.smallest();
        return risen > periodNanos / 4 ? latestLeads.smallest() : leads.smallest();
    }

    private void slew(long slewNanos, Window window) {
        if (newestTick != window.newestTick()) {
            newestTick = window.newestTick();
            excessNanos = nanos - maxNanos;
        }
        if (targetNanos > nanos) {
            nanos = Math.min(targetNanos, nanos + slewNanos / FAST_SLEW);
        } else {
            // Above maxNanos, C shrinks fast: otherwise frames would soon need snapshots that the window no longer has.
            double share = Math.min(FASTEST_SHRINK, (double) excessNanos / periodNanos(window));
            long fast = Math.max(slewNanos / FAST_SLEW, (long) (slewNanos * share));
            nanos = Math.max(targetNanos, nanos - (nanos > maxNanos ? fast : slewNanos / SLOW_SLEW));
        }
    }

    /** Grows C by the time from the newest snapshot to the moment that a frame wants to show, but not above {@link #maxNanos}. */
    void growFor(long missingSimNanos, Window window) {
        if (!learns) {
            return;
        }
        if (!isMissing) {
            isMissing = true;
            nanosBeforeMissing = nanos;
        }
        missingAfterTick = window.newestTick();
        nanos = Math.max(nanos, Math.min(nanos + realNanos(missingSimNanos, window), maxNanos));
    }

    /** Shrinks C by the time from the moment that a frame wants to show to the oldest snapshot, but not below {@link #maxNanos}. */
    void shrinkFor(long goneSimNanos, Window window) {
        if (learns) {
            nanos = Math.min(nanos, Math.max(nanos - realNanos(goneSimNanos, window), maxNanos));
        }
    }

    private static long realNanos(long simNanos, Window window) {
        return (long) ((double) simNanos
                * periodNanos(window)
                / window.timeline().rate().nanosAt(1));
    }

    /** The duration of a tick in real time, at the current speed of the simulation. */
    private static long periodNanos(Window window) {
        Timeline timeline = window.timeline();
        return timeline.dueNanos(window.newestTick() + 1) - timeline.dueNanos(window.newestTick());
    }
}
