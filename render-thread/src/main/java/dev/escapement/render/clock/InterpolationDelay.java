package dev.escapement.render.clock;

import dev.escapement.state.exchange.Window;
import dev.escapement.state.internal.RecentExtremes;
import dev.escapement.state.time.Timeline;

/**
 * The interpolation delay C of a {@link RenderClock}: how long before its display time a frame evaluates the timeline, so that everything
 * it needs was published when it is made.
 *
 * <p>Its target is the sum of the largest publish delay and the largest lead of the last 10 s, plus {@value #SLACK_NANOS} ns (less if ticks
 * are short), bounded by what windows of K snapshots allow. It starts at its target, grows by at most 2% of real time and shrinks by at
 * most 0.05%. While it is more than the window allows, it shrinks faster: so that the excess is gone within a tick, but by at least 2% and
 * at most 12.5% of real time. It jumps only while the picture stands still anyway: up if a newer snapshot is missing, down if an older one
 * is gone.
 *
 * <p>One rendering thread. Allocates nothing after construction.
 */
final class InterpolationDelay {

    static final long SLACK_NANOS = 500_000;

    /** A margin at the old end of the window, so that rounding does not clamp; smaller if ticks are short. */
    private static final long WINDOW_MARGIN_NANOS = 200_000;

    /** A longer frame changes C no more than a frame of this length, so that a stall does not become a jump. */
    private static final long LONGEST_SLEW_NANOS = 50_000_000;

    private static final long FAST_SLEW = 50;
    private static final long SLOW_SLEW = 2000;
    private static final double FASTEST_SHRINK = 0.125;
    // Each a tenth of the time that its extremes remember.
    private static final long SECOND_SLICE_NANOS = 1_000_000_000;
    private static final long SHORT_SLICE_NANOS = 100_000_000;

    private final boolean learns;
    private final boolean looksAhead;
    private final RecentExtremes leads = new RecentExtremes(SECOND_SLICE_NANOS);
    private final RecentExtremes latestLeads = new RecentExtremes(SHORT_SLICE_NANOS);
    private boolean started;
    private long nanos;
    private long targetNanos;

    /**
     * The largest C that the window allows: the smallest recent delay and lead, and K - 2 ticks (K - 3 with a look-ahead), less a
     * margin. With K = 2, the mean delay replaces the smallest, which would make nearly every frame hold.
     */
    private long maxNanos;

    private long newestTick;

    /** By how much C was more than the window allows when its newest tick was new. The next tick needs it to be gone. */
    private long overNanos;

    private boolean missing;
    private long beforeMissingNanos;
    private long missingAfterTick;

    /** If it does not learn, it is always 0. */
    InterpolationDelay(boolean learns, boolean looksAhead) {
        this.learns = learns;
        this.looksAhead = looksAhead;
    }

    long nanos() {
        return nanos;
    }

    /** Learns how long before its display a frame is made. */
    void addLead(long nowNanos, long leadNanos) {
        if (learns) {
            leads.add(nowNanos, leadNanos);
            latestLeads.add(nowNanos, leadNanos);
        }
    }

    /** Learns from the window of a frame, after its lead, and moves towards the target. */
    void frame(long sinceLastNanos, Window window) {
        if (learns) {
            updateTarget(window);
            if (!started) {
                started = true;
                nanos = targetNanos;
            }
            if (missing && window.newestTick() > missingAfterTick) {
                settleMissing();
            }
            slew(Math.min(sinceLastNanos, LONGEST_SLEW_NANOS), window);
        }
    }

    /** A frame needs a snapshot that was not published yet: grows by the missing time, within {@link #maxNanos}. */
    void missing(long missingSimNanos, Window window) {
        if (!learns) {
            return;
        }
        if (!missing) {
            missing = true;
            beforeMissingNanos = nanos;
        }
        missingAfterTick = window.newestTick();
        nanos = Math.max(nanos, Math.min(nanos + realNanos(missingSimNanos, window), maxNanos));
    }

    /** A frame needs a snapshot that the window no longer has: shrinks by that time, but not below {@link #maxNanos}. */
    void gone(long goneSimNanos, Window window) {
        if (learns) {
            nanos = Math.min(nanos, Math.max(nanos - realNanos(goneSimNanos, window), maxNanos));
        }
    }

    /** The missing snapshot was published, and its delay is known. If time was skipped and the snapshot was not late, C returns. */
    private void settleMissing() {
        missing = false;
        nanos = Math.max(beforeMissingNanos, Math.min(nanos, targetNanos));
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
        int spare = looksAhead ? 3 : 2; // a look-ahead also needs the tick before the two
        // Two snapshots allow only one delay. With the mean delay, late ticks make frames hold about as much as
        // early ones clamp.
        long held = window.size() == 2
                ? window.meanDelayNanos()
                : window.smallestDelayNanos() + (window.size() - spare) * periodNanos - margin;
        maxNanos = Math.max(0, held) + smallestLead(periodNanos);
        targetNanos = Math.min(window.largestDelayNanos() + leads.largest() + slack, maxNanos);
    }

    /** The smallest lead of 10 s. If the lead has risen for good, the smallest of 1 s: the old one must not bound C any longer. */
    private long smallestLead(long periodNanos) {
        long risen = latestLeads.smallest() - leads.smallest();
        return risen > periodNanos / 4 ? latestLeads.smallest() : leads.smallest();
    }

    private void slew(long slewNanos, Window window) {
        if (newestTick != window.newestTick()) {
            newestTick = window.newestTick();
            overNanos = nanos - maxNanos;
        }
        if (targetNanos > nanos) {
            nanos = Math.min(targetNanos, nanos + slewNanos / FAST_SLEW);
        } else {
            // Fast if beyond maxNanos: frames would soon need snapshots that the window no longer has.
            double share = Math.min(FASTEST_SHRINK, (double) overNanos / periodNanos(window));
            long fast = Math.max(slewNanos / FAST_SLEW, (long) (slewNanos * share));
            nanos = Math.max(targetNanos, nanos - (nanos > maxNanos ? fast : slewNanos / SLOW_SLEW));
        }
    }

    private static long realNanos(long simNanos, Window window) {
        return (long) ((double) simNanos
                * periodNanos(window)
                / window.timeline().rate().nanosAt(1));
    }

    /** How long a tick lasts on the clock at the current speed. */
    private static long periodNanos(Window window) {
        Timeline timeline = window.timeline();
        return timeline.dueNanos(window.newestTick() + 1) - timeline.dueNanos(window.newestTick());
    }
}
