package dev.escapement.render.display;

import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;

/**
 * Decides when a render loop makes its frames, and knows when they are displayed.
 *
 * <p>One rendering thread; any thread may cancel the pacer. Allocates nothing.
 */
public abstract class FrameSchedule {

    final NanoClock clock;
    final Pacer pacer;
    long nowNanos;
    long displayNanos;
    long missedSlots;

    FrameSchedule(NanoClock clock, Waiter waiter) {
        this.clock = clock;
        pacer = new Pacer(clock, waiter, WaitStrategy.PARK_THEN_SPIN);
    }

    /** {@return whether there is a next frame; false if the loop is to end} Waits until it is to be made. */
    public abstract boolean awaitFrame();

    /** {@return whether frames are to wait for the display when they are drawn} */
    public abstract boolean followsDisplay();

    /** {@return the clock of all instants} */
    public final NanoClock clock() {
        return clock;
    }

    /** {@return what waits, which is cancelled to end the loop} Any thread. */
    public final Pacer pacer() {
        return pacer;
    }

    /** {@return the instant for which the frame is made} */
    public final long nowNanos() {
        return nowNanos;
    }

    /** {@return when the frame is displayed: its slot, or an estimate by the display's rhythm} */
    public final long displayNanos() {
        return displayNanos;
    }

    /** {@return how many slots passed without a frame because the one before took too long, up to the frame awaited last} */
    public final long missedSlots() {
        return missedSlots;
    }
}
