package dev.escapement.bench.compare;

import java.util.concurrent.TimeUnit;

/**
 * A loop of frames. Each frame draws, and runs steps unless another thread runs them.
 *
 * @param picture the picture of the last frame
 * @param frame   draws a frame, and returns after drawing and after the steps that the frame runs
 */
record GameLoop(Picture picture, Frame frame) {

    @FunctionalInterface
    interface Frame {

        /** Draws a frame that begins at one instant and is expected to be displayed at another. */
        void draw(long beginNanos, long displayNanos);
    }

    /**
     * Draws frames as with vertical synchronization. A frame begins in a slot of the display. Its picture is shown in the first slot not
     * before its end, and the next frame begins in that slot.
     *
     * @param clock         the clock; at its 0, simulated time and the slots begin
     * @param warmUpSeconds the start that is left out
     * @param endNanos      when no more frames begin
     */
    Result measure(Case run, WorkClock clock, int warmUpSeconds, long endNanos) {
        RefreshCase refresh = run.refresh();
        ContestantMeter meter = new ContestantMeter(run, TimeUnit.SECONDS.toNanos(warmUpSeconds));
        long slotNanos = 0;
        while (slotNanos < endNanos) {
            frame.draw(slotNanos, refresh.slotNanos(slotNanos + LoadProfile.DRAW_NANOS));
            slotNanos = refresh.slotNanos(clock.nanoTime());
            meter.frame(picture, slotNanos);
            clock.spendUntil(slotNanos);
        }
        return meter.result();
    }
}
