package dev.escapement.bench.compare;

import java.util.concurrent.TimeUnit;

/**
 * A loop of frames. Each draws, and steps unless another thread does.
 *
 * @param picture the picture of the last frame
 * @param frame   draws, and returns after drawing and the steps that it runs
 */
record GameLoop(Picture picture, Frame frame) {

    /** The work of a frame. */
    @FunctionalInterface
    interface Frame {

        /** Draws a frame. It begins at an instant, and its display is expected at another. */
        void draw(long beginNanos, long displayNanos);
    }

    /**
     * Draws frames with a swap that waits. A frame begins in a slot of the display. Its picture is shown in the first slot not before its
     * end, in which the next frame begins.
     *
     * @param clock         its start is also the start of simulated time and of the slots
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
