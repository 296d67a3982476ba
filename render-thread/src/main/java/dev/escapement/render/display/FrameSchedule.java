package dev.escapement.render.display;

import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;

/**
 * Decides when a render loop makes its frames, and knows when they are displayed.
 *
 * <p>One rendering thread; any thread may cancel the pacer. Allocates nothing, apart from the backend's answers.
 */
public abstract class FrameSchedule {

    final NanoClock clock;
    final Pacer pacer;
    long targetNanos;
    long displayNanos;
    long missedSlots;

    FrameSchedule(NanoClock clock, Waiter waiter) {
        this.clock = clock;
        pacer = new Pacer(clock, waiter, WaitStrategy.PARK_THEN_SPIN);
    }

    /** {@return true if a frame is due, after the wait for it; false if the loop has to end} */
    public abstract boolean awaitFrame();

    /** {@return the clock of all instants of this schedule} */
    public final NanoClock clock() {
        return clock;
    }

    /** {@return the pacer that waits for frames; the loop ends when the pacer is cancelled} Any thread. */
    public final Pacer pacer() {
        return pacer;
    }

    /** {@return the instant that the view receives as the frame's call} */
    public final long targetNanos() {
        return targetNanos;
    }

    /** {@return when the frame is displayed: its slot at a given rate, otherwise an estimate from the display's rhythm} */
    public final long displayNanos() {
        return displayNanos;
    }

    /** {@return how many slots had no frame because the frame before took too long, up to the last frame} */
    public final long missedSlots() {
        return missedSlots;
    }
}
