package dev.escapement.bench.wire;

import dev.escapement.bench.measure.Distribution;

/** What viewers are shown from an instant on. */
final class Shown {

    private final long fromNanos;
    private final Distribution age = new Distribution();
    private final Distribution error = new Distribution();
    private long frames;
    private long flagged;
    private long ticks;
    private long filled;
    private long wholeNanos = Long.MAX_VALUE;

    Shown(long fromNanos) {
        this.fromNanos = fromNanos;
    }

    /** Adds a frame, and whether it or the one before shows what is predicted. */
    void add(long nowNanos, long ageNanos, long errorNanos, boolean isFlagged) {
        frames++;
        age.record(ageNanos);
        if (isFlagged) {
            flagged++;
            return;
        }
        error.record(Math.abs(errorNanos));
        if (nowNanos - ageNanos >= fromNanos) {
            wholeNanos = Math.min(wholeNanos, nowNanos - fromNanos);
        }
    }

    void addTicks(long more, long moreFilled) {
        ticks += more;
        filled += moreFilled;
    }

    Playout row(String mode, double quantile, boolean isAfterStop) {
        if (flagged == frames || ticks == 0) {
            throw new IllegalStateException(mode + ": none of " + frames + " frames shows what was true");
        }
        return new Playout(
                mode,
                quantile,
                100.0 * filled / ticks,
                100.0 * flagged / frames,
                age.summary(),
                error.summary(),
                isAfterStop ? wholeNanos / 1e6 : null);
    }
}
