package dev.escapement.bench.compare;

import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TickRate;

/**
 * Frames at the slots of a display: each begins at a slot and is meant for the next one. A frame that takes too long misses slots, which
 * are counted.
 *
 * <p>The calling thread draws.
 */
final class SlotLoop {

    private final Pacer pacer = Pacer.system();
    private final TickRate display;
    private final long originNanos = System.nanoTime();
    private long missedSlots;

    /** A display whose slots are counted from now on. */
    SlotLoop(TickRate display) {
        this.display = display;
    }

    /** What is done in a slot. */
    @FunctionalInterface
    interface Frame {

        /** Draws at a slot what is displayed in the next one. */
        void draw(long beginNanos, long displayNanos);
    }

    /** Draws until so much time has passed since the first slot. */
    void run(long nanos, Frame frame) {
        for (long slot = 1; display.nanosAt(slot) < nanos; slot++) {
            pacer.awaitUntil(slotNanos(slot));
            frame.draw(slotNanos(slot), slotNanos(slot + 1));
            long passed = passedSlots(System.nanoTime());
            missedSlots += Math.max(0, passed - slot);
            slot = Math.max(slot, passed);
        }
    }

    /** When the first frame begins. */
    long firstSlotNanos() {
        return slotNanos(1);
    }

    /** The slot in which a frame is displayed that was complete at an instant. */
    long firstSlotFrom(long completedNanos) {
        return slotNanos(passedSlots(completedNanos) + 1);
    }

    /** How many slots no frame began at, because the one before took too long. */
    long missedSlots() {
        return missedSlots;
    }

    private long passedSlots(long nanos) {
        return display.tickAt(nanos - 1 - originNanos);
    }

    private long slotNanos(long slot) {
        return originNanos + display.nanosAt(slot);
    }
}
