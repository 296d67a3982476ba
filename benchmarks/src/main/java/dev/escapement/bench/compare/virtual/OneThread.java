package dev.escapement.bench.compare.virtual;

import dev.escapement.bench.compare.loop.GameLoop;
import dev.escapement.bench.compare.measure.FrameMeasure;

/**
 * A loop in one thread, with a swap that waits: a frame begins in a slot of the display, its picture is shown in the first slot not
 * before its end, and there the next frame begins.
 */
final class OneThread {

    private final VirtualClock clock;
    private final VirtualDisplay display;
    private final Freeze freeze;

    OneThread(VirtualClock clock, VirtualDisplay display, Freeze freeze) {
        this.clock = clock;
        this.display = display;
        this.freeze = freeze;
    }

    void run(GameLoop loop, FrameMeasure measure, long endNanos) {
        while (clock.nanoTime() < endNanos) {
            long beginNanos = clock.nanoTime();
            loop.frame();
            clock.spend(freeze.takeNanos(beginNanos));
            long slotNanos = display.slotNanos(clock.nanoTime());
            measure.frame(loop.picture(), slotNanos);
            clock.spendUntil(slotNanos);
        }
    }
}
