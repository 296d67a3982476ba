package dev.escapement.render.clock;

import dev.escapement.state.exchange.Window;
import dev.escapement.state.time.RecentExtremes;
import dev.escapement.state.time.Timeline;

/**
 * The cover C of a {@link RenderClock}: how far behind the time of display a frame looks at the timeline, so that everything it
 * needs has been published when the frame is made.
 *
 * <p>It aims at the largest publish delay and the largest lead of the last 10 s, plus {@value #SLACK_NANOS} ns (less
 * where ticks are short), within what K snapshots can hold. It starts there, grows by at most 2% of real time and shrinks by at
 * most 0.05%. While the picture stands still anyway, it moves at once: up where a snapshot is missing, down where one is gone.
 *
 * <p>One rendering thread. Allocates nothing after construction.
 */
final class DelayCover {

    static final long SLACK_NANOS = 500_000;

    /** Kept free at the old end of the window, so that rounding does not clamp; less where ticks are short. */
    private static final long WINDOW_MARGIN_NANOS = 200_000;

    /** C moves no further for a frame that took longer, so that no stall becomes a jump. */
    private static final long LONGEST_SLEW_NANOS = 50_000_000;

    private static final long FAST_SLEW = 50;
    private static final long SLOW_SLEW = 2000;
    // A tenth of what is remembered.
    private static final long SECOND_SLICE_NANOS = 1_000_000_000;
    private static final long SHORT_SLICE_NANOS = 100_000_000;

    private final boolean learns;
    private final RecentExtremes leads = new RecentExtremes(SECOND_SLICE_NANOS);

    private final RecentExtremes latestLeads = new RecentExtremes(SHORT_SLICE_NANOS);

    private boolean started;
    private long nanos;
    private long targetNanos;

    /** What the window holds: the smallest recent delay and lead, and K - 2 ticks. With K = 2 that would hold at most ticks. */
    private long mostNanos;

    private boolean missing;
    private long beforeMissingNanos;
    private long missingAfterTick;
    private long previousNowNanos;

    private DelayCover(boolean learns) {
        this.learns = learns;
    }

    /** What is needed, as it is learned. */
    static DelayCover learned() {
        return new DelayCover(true);
    }

    /** Always 0. */
    static DelayCover none() {
        return new DelayCover(false);
    }

    long nanos() {
        return nanos;
    }

    /** Refuses a frame that is made before the last one. */
    void check(long nowNanos) {
        if (started && nowNanos - previousNowNanos < 0) {
            throw new IllegalArgumentException("the clock went backwards by " + (previousNowNanos - nowNanos)
                    + " ns from one frame to the next, to " + nowNanos
                    + "; give every frame an instant of one monotonic clock");
        }
    }

    /** Learns from the window of a frame, and moves a little. */
    void frame(long nowNanos, long leadNanos, Window window) {
        long frameNanos = started ? nowNanos - previousNowNanos : 0;
        previousNowNanos = nowNanos;
        if (learns) {
            leads.add(nowNanos, leadNanos);
            latestLeads.add(nowNanos, leadNanos);
            aim(window);
            if (!started) {
                nanos = targetNanos;
            }
            if (missing && window.newestTick() > missingAfterTick) {
                settle();
            }
            move(Math.min(frameNanos, LONGEST_SLEW_NANOS));
        }
        started = true;
    }

    /** A frame needs a snapshot that is not there: grows by what is missing, within what the window holds. */
    void missing(long missingSimNanos, Window window) {
        if (!learns) {
            return;
        }
        if (!missing) {
            missing = true;
            beforeMissingNanos = nanos;
        }
        missingAfterTick = window.newestTick();
        nanos = Math.max(nanos, Math.min(nanos + realNanos(missingSimNanos, window), mostNanos));
    }

    /** A frame needs a snapshot that is gone: shrinks by what is gone, down to what the window holds. */
    void gone(long goneSimNanos, Window window) {
        if (learns) {
            nanos = Math.min(nanos, Math.max(nanos - realNanos(goneSimNanos, window), mostNanos));
        }
    }

    /** What was missing has come, and its delay is known: what turned out to be time given up was no reason to grow. */
    private void settle() {
        missing = false;
        nanos = Math.max(beforeMissingNanos, Math.min(nanos, targetNanos));
    }

    private void aim(Window window) {
        long periodNanos = periodNanos(window);
        if (window.largestDelayNanos() == Long.MIN_VALUE) {
            mostNanos = smallestLead(periodNanos) + periodNanos;
            targetNanos = leads.largest() + periodNanos / 2;
            return;
        }
        long smallPartOfAPeriod = periodNanos / 8;
        long margin = Math.min(WINDOW_MARGIN_NANOS, smallPartOfAPeriod);
        long slack = Math.min(SLACK_NANOS, smallPartOfAPeriod);
        // Two snapshots hold no more than one delay. Behind by the mean one, late ticks hold and early ones clamp,
        // about as much.
        long held = window.size() == 2
                ? window.meanDelayNanos()
                : window.smallestDelayNanos() + (window.size() - 2) * periodNanos - margin;
        mostNanos = Math.max(0, held) + smallestLead(periodNanos);
        targetNanos = Math.min(window.largestDelayNanos() + leads.largest() + slack, mostNanos);
    }

    /** A lead that is gone must not bound C for ten seconds; one that varies from frame to frame must. */
    private long smallestLead(long periodNanos) {
        long risen = latestLeads.smallest() - leads.smallest();
        return risen > periodNanos / 4 ? latestLeads.smallest() : leads.smallest();
    }

    private void move(long slewNanos) {
        if (targetNanos > nanos) {
            nanos = Math.min(targetNanos, nanos + slewNanos / FAST_SLEW);
        } else {
            // Beyond what the window holds, frames would soon find that what they need is gone.
            long most = slewNanos / (nanos > mostNanos ? FAST_SLEW : SLOW_SLEW);
            nanos = Math.max(targetNanos, nanos - most);
        }
    }

    private static long realNanos(long simNanos, Window window) {
        return (long) ((double) simNanos
                * periodNanos(window)
                / window.timeline().rate().nanosAt(1));
    }

    /** How long a tick takes at the speed that time has now. */
    private static long periodNanos(Window window) {
        Timeline timeline = window.timeline();
        return timeline.dueNanos(window.newestTick() + 1) - timeline.dueNanos(window.newestTick());
    }
}
