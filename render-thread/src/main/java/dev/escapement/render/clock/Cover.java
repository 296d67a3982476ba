package dev.escapement.render.clock;

import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.Timeline;

/**
 * The cover C of a {@link RenderClock}: how far behind the time of display a frame looks at the timeline, so that everything it
 * needs has been published when the frame is made.
 *
 * <p>It aims at the largest publish delay and the largest lead of the last 10 s, plus {@value #SLACK_NANOS} ns (less where ticks are
 * short), within what K snapshots can hold. It grows by at most 2% of real time and shrinks by at most 0.05%. Only a snapshot that is
 * missing makes it grow at once, while the picture stands still anyway.
 *
 * <p>One rendering thread. Allocates nothing after construction.
 */
final class Cover {

    static final long SLACK_NANOS = 500_000;

    /** Kept free at the old end of the window, so that rounding does not clamp; less where ticks are short. */
    private static final long WINDOW_MARGIN_NANOS = 200_000;

    /** C moves no further for a frame that took longer, so that no stall becomes a jump. */
    private static final long LONGEST_SLEW_NANOS = 50_000_000;

    private static final long FAST_SLEW = 50;
    private static final long SLOW_SLEW = 2000;

    /** About so many ticks make the mean delay. */
    private static final int MEAN_OF = 128;

    private final boolean learns;
    private final RecentExtremes delays = new RecentExtremes();
    private final RecentExtremes leads = new RecentExtremes();
    private boolean started;
    private long nanos;
    private long targetNanos;

    /** What the window holds: the smallest recent delay and lead, and K - 2 ticks. With K = 2 that would hold at most ticks. */
    private long mostNanos;

    private double meanDelayNanos = Double.NaN;

    private boolean missing;
    private long beforeMissingNanos;
    private long missingAfterTick;
    private long previousNowNanos;
    private long newestSeenTick = Long.MIN_VALUE;

    private Cover(boolean learns) {
        this.learns = learns;
    }

    /** Half a tick at first, then what is needed. */
    static Cover learned() {
        return new Cover(true);
    }

    /** For ever 0. */
    static Cover none() {
        return new Cover(false);
    }

    long nanos() {
        return nanos;
    }

    /** Learns from the window of a frame, and moves a little. */
    void frame(long nowNanos, long leadNanos, Window window) {
        if (started && nowNanos - previousNowNanos < 0) {
            throw new IllegalArgumentException("the clock went backwards by " + (previousNowNanos - nowNanos)
                    + " ns from one frame to the next, to " + nowNanos
                    + "; give every frame an instant of one monotonic clock");
        }
        long frameNanos = started ? nowNanos - previousNowNanos : 0;
        previousNowNanos = nowNanos;
        if (learns) {
            if (!started) {
                nanos = window.timeline().rate().nanosAt(1) / 2 + leadNanos;
            }
            learn(nowNanos, leadNanos, window);
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
        double missingNanos = (double) missingSimNanos
                * periodNanos(window)
                / window.timeline().rate().nanosAt(1);
        nanos = Math.max(nanos, Math.min(nanos + (long) missingNanos, mostNanos));
    }

    /** What was missing has come, and its delay is known: what turned out to be time given up was no reason to grow. */
    private void settle() {
        missing = false;
        nanos = Math.max(beforeMissingNanos, Math.min(nanos, targetNanos));
    }

    private void learn(long nowNanos, long leadNanos, Window window) {
        leads.add(nowNanos, leadNanos);
        Timeline timeline = window.timeline();
        for (int i = 0; i < window.size(); i++) {
            Snapshot snapshot = window.snapshot(i);
            if (snapshot.tick() > newestSeenTick) {
                newestSeenTick = snapshot.tick();
                // Not since it was due: while time is given up, nothing is late.
                long delay = snapshot.publishedNanos() - timeline.goesOnNanos(newestSeenTick);
                if (delay >= 0) {
                    delays.add(nowNanos, delay);
                    meanDelayNanos =
                            Double.isNaN(meanDelayNanos) ? delay : meanDelayNanos + (delay - meanDelayNanos) / MEAN_OF;
                }
            }
        }
        if (!delays.isEmpty()) {
            aim(periodNanos(window), window.size());
        }
    }

    private void aim(long periodNanos, int windowSize) {
        long smallPartOfAPeriod = periodNanos / 8;
        long margin = Math.min(WINDOW_MARGIN_NANOS, smallPartOfAPeriod);
        long slack = Math.min(SLACK_NANOS, smallPartOfAPeriod);
        // Two snapshots hold no more than one delay. Behind by the mean one, late ticks hold and early ones clamp,
        // about as much.
        long held =
                windowSize == 2 ? (long) meanDelayNanos : delays.smallest() + (windowSize - 2) * periodNanos - margin;
        mostNanos = Math.max(0, held) + leads.smallest();
        targetNanos = Math.min(delays.largest() + leads.largest() + slack, mostNanos);
    }

    private void move(long slewNanos) {
        if (delays.isEmpty()) {
            return;
        }
        if (targetNanos > nanos) {
            nanos = Math.min(targetNanos, nanos + slewNanos / FAST_SLEW);
        } else {
            // Beyond what the window holds, each frame would show its oldest snapshot: worse than a picture that runs
            // 2% fast.
            long most = slewNanos / (nanos > mostNanos ? FAST_SLEW : SLOW_SLEW);
            nanos = Math.max(targetNanos, nanos - most);
        }
    }

    /** How long a tick takes at the speed that time has now. */
    private static long periodNanos(Window window) {
        Timeline timeline = window.timeline();
        return timeline.dueNanos(window.newestTick() + 1) - timeline.dueNanos(window.newestTick());
    }
}
