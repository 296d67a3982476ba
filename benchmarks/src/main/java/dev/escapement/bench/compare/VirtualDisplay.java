package dev.escapement.bench.compare;

import dev.escapement.state.time.TickRate;

/**
 * A display that changes its picture in slots, and shows a frame in the first slot not before it is complete. It may have a renderer that
 * stops once: when a window is dragged, or a shader is compiled.
 */
public final class VirtualDisplay {

    private final TickRate rate;
    private final long freezeFromNanos;
    private long freezeNanos;

    /** A display whose renderer never stops. */
    public VirtualDisplay(TickRate rate) {
        this(rate, 0, 0);
    }

    /** One whose renderer stops for so long in the first frame that begins at or after an instant. */
    VirtualDisplay(TickRate rate, long freezeFromNanos, long freezeNanos) {
        this.rate = rate;
        this.freezeFromNanos = freezeFromNanos;
        this.freezeNanos = freezeNanos;
    }

    /** The slot that shows what is complete at an instant. */
    long slotNanos(long completedNanos) {
        return rate.nanosAt(rate.tickAt(completedNanos - 1) + 1);
    }

    /** How much longer a frame takes that begins at an instant. */
    long takeFreezeNanos(long beginNanos) {
        if (beginNanos < freezeFromNanos) {
            return 0;
        }
        long taken = freezeNanos;
        freezeNanos = 0;
        return taken;
    }
}
