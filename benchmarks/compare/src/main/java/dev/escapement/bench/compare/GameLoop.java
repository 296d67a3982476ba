package dev.escapement.bench.compare;

import dev.escapement.bench.compare.Comparison.Result;
import dev.escapement.state.time.NanoClock;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * A loop whose frames draw, and step unless another thread does, until it is closed.
 *
 * @param picture what the last frame has drawn
 * @param frame   draws, and returns when that and the steps that it runs are done
 * @param end     closes what is simulated
 */
record GameLoop(Picture picture, Frame frame, Runnable end) implements AutoCloseable {

    /** What is done in a frame. */
    @FunctionalInterface
    interface Frame {

        /** Draws, from an instant on, what is expected to be displayed at another. */
        void draw(long beginNanos, long displayNanos);
    }

    /**
     * For how long frames are drawn, on which clock.
     *
     * @param await         returns when an instant of the clock has come
     * @param startNanos    when simulated time and the slots of the display begin
     * @param warmUpSeconds how long frames are left out at first
     * @param endNanos      how long after the start no more frames begin
     */
    record Session(NanoClock clock, LongConsumer await, long startNanos, int warmUpSeconds, long endNanos) {}

    /**
     * Draws with a swap that waits: a frame begins in a slot of the display, its picture is shown in the first slot not before its end,
     * and there the next frame begins.
     */
    Result measure(Case run, Session session) {
        RefreshCase refresh = run.refresh();
        long startNanos = session.startNanos();
        long warmUpNanos = TimeUnit.SECONDS.toNanos(session.warmUpSeconds());
        ContestantMeter meter = new ContestantMeter(run, startNanos, warmUpNanos);
        long slotNanos = 0;
        while (slotNanos < session.endNanos()) {
            long expectedNanos = refresh.slotNanos(slotNanos + LoadProfile.DRAW_NANOS);
            frame.draw(startNanos + slotNanos, startNanos + expectedNanos);
            slotNanos = refresh.slotNanos(session.clock().nanoTime() - startNanos);
            meter.frame(picture, startNanos + slotNanos);
            session.await().accept(startNanos + slotNanos);
        }
        return meter.result();
    }

    @Override
    public void close() {
        end.run();
    }
}
