package dev.escapement.bench.measure;

import dev.escapement.render.FrameView;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.time.TickRate;

/**
 * A body whose position shows the simulated time. It moves at constant velocity along the floor's edge, and reverses every {@value
 * #TICKS_PER_SWEEP} ticks, exactly at a tick. Its drawn position gives the simulated time of the whole picture without the render clock. So
 * errors in choosing or blending snapshots are measured, too.
 */
public final class Metronome {

    /**
     * The number of ticks from one end to the other. With so few, the position as a float resolves about a tenth of a microsecond of a 100
     * Hz tick.
     */
    static final int TICKS_PER_SWEEP = 512;

    private final double halfExtent;

    /** Creates a metronome that moves along the edge of a floor, in metres. */
    public Metronome(double floorHalfExtent) {
        halfExtent = 0.9 * floorHalfExtent;
    }

    public float x(long tick) {
        return x((double) tick);
    }

    float x(double tick) {
        double phase = tick - 2.0 * TICKS_PER_SWEEP * Math.floor(tick / (2.0 * TICKS_PER_SWEEP));
        double ticks = Math.min(phase, 2.0 * TICKS_PER_SWEEP - phase);
        return (float) (halfExtent * (2.0 * ticks / TICKS_PER_SWEEP - 1));
    }

    /**
     * The simulated time that a view shows, computed from the drawn position. A view that looks ahead draws the metronome beyond its
     * turning point. Near a turning point such a view's clock gives the time instead.
     */
    public long simNanos(FrameView view, float drawnX) {
        long last = view.clock().tick() + 1 + Interpolation.MAX_TICKS_AHEAD;
        boolean mayTurn = Math.floorMod(last, TICKS_PER_SWEEP) <= Interpolation.MAX_TICKS_AHEAD + 2;
        return view.clock().aheadTicks() > 0 && mayTurn
                ? view.clock().shownSimNanos()
                : simNanos(drawnX, view.clock().tick(), view.window().timeline().rate());
    }

    public float z() {
        return (float) halfExtent;
    }

    /**
     * The simulated time at which the metronome is at {@code drawnX}.
     *
     * @param drawnX    the drawn position along x
     * @param shownTick the tick before the shown time, which tells the direction of motion
     */
    public long simNanos(float drawnX, long shownTick, TickRate rate) {
        double ticks = (drawnX / halfExtent + 1) / 2 * TICKS_PER_SWEEP;
        long sweep = Math.floorDiv(shownTick, TICKS_PER_SWEEP);
        double tick = (sweep & 1) == 0 ? sweep * TICKS_PER_SWEEP + ticks : (sweep + 1) * TICKS_PER_SWEEP - ticks;
        return Math.round(tick * 1e9 * rate.dtSeconds());
    }
}
