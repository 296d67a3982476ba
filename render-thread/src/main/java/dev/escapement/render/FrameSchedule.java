package dev.escapement.render;

import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;

/**
 * Decides when a {@link RenderLoop} makes its frames, and knows when they are displayed.
 *
 * <p>One rendering thread; any thread may cancel the pacer. Allocates nothing.
 */
abstract class FrameSchedule {

    final NanoClock clock;

    /** Cancelled to end the loop. */
    final Pacer pacer;

    /** The instant for which the frame is made, by the clock. */
    long nowNanos;

    /** When the frame is displayed: its slot, or an estimate by the display's rhythm. */
    long displayNanos;

    /** How many slots passed without a frame because the previous one took too long, up to the frame awaited last. */
    long missedSlots;

    FrameSchedule(NanoClock clock, Waiter waiter) {
        this.clock = clock;
        pacer = new Pacer(clock, waiter, WaitStrategy.PARK_THEN_SPIN);
    }

    /** {@return whether there is a next frame; false if the loop is to end} Waits until it is to be made. */
    abstract boolean awaitFrame();

    /** Whether frames are to wait for the display when they are drawn. */
    abstract boolean followsDisplay();
}
