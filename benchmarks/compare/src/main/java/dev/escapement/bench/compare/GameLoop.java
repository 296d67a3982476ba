package dev.escapement.bench.compare;

import java.util.concurrent.TimeUnit;

/**
 * A loop of frames. Each frame draws, and runs the due steps unless another thread runs them.
 *
 * @param picture what the last frame has drawn
 * @param frame   draws a frame, and returns after drawing and after the steps that the frame runs
 */
record GameLoop(Picture picture, Frame frame) {

    @FunctionalInterface
    interface Frame {

        /** Draws a frame that begins at {@code beginNanos} and whose picture is expected to be displayed at {@code displayNanos}. */
        void draw(long beginNanos, long displayNanos);
    }

    /**
     * Draws frames with vertical synchronization. A frame begins in a slot of the display. Its picture is displayed in the first slot at or
     * after its end, and the next frame begins in this slot.
     *
     * @param clock         the clock; simulated time and the display's slots begin at its 0
     * @param warmUpSeconds the start that the result leaves out
     * @param endNanos      from here on no frame begins
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
