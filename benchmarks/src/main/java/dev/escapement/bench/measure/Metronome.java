package dev.escapement.bench.measure;

import dev.escapement.state.time.TickRate;

/**
 * A body whose place tells the time: it moves at constant velocity along the floor's edge, and turns at a tick every
 * {@value #TICKS_PER_SWEEP} ticks. From where it was drawn follows which simulated time the whole picture shows, so an
 * error in choosing snapshots or in blending them cannot hide behind the clock's own word.
 */
public final class Metronome {

    /** Few enough that a float resolves a tenth of a microsecond of a 100 Hz tick, or nearly so. */
    static final int TICKS_PER_SWEEP = 512;

    private final double halfExtent;

    /** A metronome along the edge of a floor, metres. */
    public Metronome(double floorHalfExtent) {
        halfExtent = 0.9 * floorHalfExtent;
    }

    /** Where the metronome stands along x at a tick. */
    public float x(long tick) {
        long phase = Math.floorMod(tick, 2L * TICKS_PER_SWEEP);
        long ticks = phase <= TICKS_PER_SWEEP ? phase : 2L * TICKS_PER_SWEEP - phase;
        return (float) (halfExtent * (2.0 * ticks / TICKS_PER_SWEEP - 1));
    }

    /** Whether it turns within a tick before a tick, or within some after it: who predicts where it goes does not show the time there. */
    public boolean turnsNear(long tick, int ticksAfter) {
        return Math.floorMod(tick + ticksAfter, TICKS_PER_SWEEP) <= ticksAfter + 1;
    }

    /** Where it stands along z. */
    public float z() {
        return (float) halfExtent;
    }

    /**
     * The simulated time at which it stands at {@code drawnX}.
     *
     * @param drawnX    where it was drawn
     * @param shownTick the tick before the moment shown, which says only whether it is on its way there or back
     */
    public long simNanos(float drawnX, long shownTick, TickRate rate) {
        double ticks = (drawnX / halfExtent + 1) / 2 * TICKS_PER_SWEEP;
        long sweep = Math.floorDiv(shownTick, TICKS_PER_SWEEP);
        double tick = (sweep & 1) == 0 ? sweep * TICKS_PER_SWEEP + ticks : (sweep + 1) * TICKS_PER_SWEEP - ticks;
        return Math.round(tick * 1e9 * rate.dtSeconds());
    }
}
