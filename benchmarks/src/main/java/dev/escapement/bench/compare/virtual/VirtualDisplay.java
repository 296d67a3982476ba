package dev.escapement.bench.compare.virtual;

import dev.escapement.state.time.TickRate;

/** A display that changes its picture in slots, and shows a frame in the first slot not before it is complete. */
record VirtualDisplay(TickRate rate) {

    /** The slot that shows what is complete at an instant. */
    long slotNanos(long completedNanos) {
        return rate.nanosAt(rate.tickAt(completedNanos - 1) + 1);
    }
}
