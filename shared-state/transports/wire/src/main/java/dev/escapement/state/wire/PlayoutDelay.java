package dev.escapement.state.wire;

import dev.escapement.state.snapshot.Snapshot;
import java.util.Arrays;

/**
 * The delay from a tick's due time at the sender to its due time at the receiver. It is a quantile of recent ticks' delays, on the
 * receiver's clock. Clocks of two machines begin anywhere, so a delay may be any number; only differences between delays mean something.
 * The delay follows the drift of the clocks, because old samples are forgotten.
 *
 * <p>One thread. Allocates nothing after construction.
 */
final class PlayoutDelay {

    /** The number of samples: 5 s at 100 Hz. */
    static final int SAMPLES = 512;

    /** If the delay of a tick is shorter than the least one by more than this, a clock was set, or a machine slept. */
    private static final long STEP_NANOS = 500_000_000;

    /**
     * If all ticks are late for this time, a clock was set ahead, or the route has changed. A network that only held packets back delivers
     * them sooner.
     */
    private static final long LATE_NANOS = 300_000_000L;

    /** With fewer samples than this, their spread says little, so the delay gets an additional margin. */
    private static final int FEW = 32;

    private static final int UPDATE_EVERY = 16;

    /** The time after the start during which delays are ignored: packets wait while the process still loads classes. */
    private static final long SETTLE_NANOS = 500_000_000;

    /** The gap between two calls of {@link #runs} after which delays are ignored, because packets waited for the receiver. */
    private static final long STOPPED_NANOS = 100_000_000;

    private final double quantile;
    private final long marginNanos;
    private long maxNanos;

    /** The first sample. All samples are stored as differences from it, because delays may wrap, and then cannot be sorted. */
    private long firstDelayNanos;

    private final long[] delays = new long[SAMPLES];
    private final long[] sorted = new long[SAMPLES];

    // The delay of each tick's last packet, by tick modulo the arrays' length, until the tick's delay is final.
    private final long[] measuredTick = new long[SnapshotEncoder.TICKS];
    private final long[] lastDelays = new long[SnapshotEncoder.TICKS];
    private final boolean[] isMeasuring = new boolean[SnapshotEncoder.TICKS];

    private long count;

    // Whether the last tick came too late, and since when all ticks have come too late.
    private boolean late;
    private long lateSinceNanos;

    private boolean any;
    private boolean settled;
    private long firstNanos;
    private long ranNanos;
    private boolean stopped;
    private long nanos;
    private long leastNanos;
    private long updatedNanos;

    /** Creates a delay without samples. The delay may exceed the least sample by at most {@code maxNanos}. */
    PlayoutDelay(double quantile, long marginNanos, long maxNanos) {
        this.quantile = quantile;
        this.marginNanos = marginNanos;
        this.maxNanos = maxNanos;
        Arrays.fill(measuredTick, Snapshot.NEVER_WRITTEN);
    }

    void atMost(long nanosAboveLeast) {
        maxNanos = Math.min(maxNanos, nanosAboveLeast);
    }

    void forget() {
        count = 0;
        Arrays.fill(isMeasuring, false);
    }

    /** Forgets all ticks, because another stream begins, with numbers of its own. */
    void forgetTicks() {
        forget();
        Arrays.fill(measuredTick, Snapshot.NEVER_WRITTEN);
    }

    boolean isKnown() {
        return count > 0;
    }

    /** Notes the arrival of a packet. The delay of a tick is that of the packet that completes it, or else of its last packet. */
    void arrived(long tick, long dueNanos, long nowNanos, boolean isWhole) {
        settle(nowNanos);
        if (stopped && isKnown()) {
            return;
        }
        long delayNanos = nowNanos - dueNanos;
        int at = (int) tick & (SnapshotEncoder.TICKS - 1);
        if (measuredTick[at] != tick) {
            if (isMeasuring[at]) {
                add(lastDelays[at], nowNanos);
            }
            measuredTick[at] = tick;
            isMeasuring[at] = true;
        }
        if (isMeasuring[at]) {
            lastDelays[at] = delayNanos;
            if (isWhole || !isKnown()) {
                add(delayNanos, nowNanos);
                isMeasuring[at] = false;
            }
        }
    }

    /** Notes that the receiver runs. After a long gap, ignores delays for a while, because packets waited for the receiver. */
    void runs(long nowNanos) {
        if (any && nowNanos - ranNanos >= STOPPED_NANOS) {
            stopped = true;
            firstNanos = nowNanos;
        }
        stopped &= nowNanos - firstNanos < SETTLE_NANOS;
        ranNanos = nowNanos;
    }

    private void settle(long nowNanos) {
        if (!any) {
            any = true;
            firstNanos = nowNanos;
        } else if (!settled && nowNanos - firstNanos >= SETTLE_NANOS) {
            settled = true;
            forget();
        }
    }

    private void add(long delayNanos, long nowNanos) {
        boolean lateBefore = late;
        late = count > 0 && delayNanos - nanos > 0;
        if (late && !lateBefore) {
            lateSinceNanos = nowNanos;
        }
        boolean longLate = late && nowNanos - lateSinceNanos >= LATE_NANOS;
        if (longLate || (count > 0 && leastNanos - delayNanos > STEP_NANOS)) {
            forget();
            late = false;
        }
        if (count == 0) {
            firstDelayNanos = delayNanos;
        }
        delays[(int) (count++ % SAMPLES)] = delayNanos - firstDelayNanos;
        if (count <= FEW || count % UPDATE_EVERY == 0) {
            update(nowNanos);
        }
    }

    private void update(long nowNanos) {
        int known = (int) Math.min(count, SAMPLES);
        System.arraycopy(delays, 0, sorted, 0, known);
        Arrays.sort(sorted, 0, known);
        leastNanos = firstDelayNanos + sorted[0];
        long high = firstDelayNanos + sorted[Math.min(known - 1, (int) (quantile * known))];
        // Adds a margin if there are few samples, because the largest of few delays underestimates the largest of many.
        long unknown = known < FEW ? marginNanos * (FEW - known) / 4 : 0;
        long wait = high - leastNanos + marginNanos + unknown;
        if (count > FEW) {
            // The delay falls no faster than ticks can catch up, even when many long delays are forgotten at once.
            long followed = (long) ((nowNanos - updatedNanos) * PlayoutTimeline.FASTER);
            wait = Math.max(wait, nanos - followed - leastNanos);
        }
        updatedNanos = nowNanos;
        nanos = leastNanos + Math.min(maxNanos, wait);
    }

    /** Returns the nanoseconds to add to the due time of a tick at the sender. */
    long nanos() {
        return nanos;
    }

    long leastNanos() {
        return leastNanos;
    }
}
