package dev.escapement.bench.compare;

import java.util.concurrent.TimeUnit;

/**
 * A loop whose frames draw, and step unless another thread does.
 *
 * @param picture the picture of the last frame
 * @param frame   draws, and returns after drawing and the steps that it runs
 */
record GameLoop(Picture picture, Frame frame) {

    /** The work of a frame. */
    @FunctionalInterface
    interface Frame {

        /** Draws, beginning at an instant, a frame that is expected to be displayed at another. */
        void draw(long beginNanos, long displayNanos);
    }

    /**
     * Draws with a swap that waits: a frame begins in a slot of the display, its picture is shown in the first slot not before its end,
     * in which the next frame begins.
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
