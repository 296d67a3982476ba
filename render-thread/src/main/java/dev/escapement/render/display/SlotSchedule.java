package dev.escapement.render.display;

import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Waiter;
import java.util.Objects;

/**
 * Schedules frames in slots of a given rate. The instant of a slot is computed from its number, so that rounding errors do not add up.
 *
 * <p>A frame that takes too long misses slots, and the next one keeps to the grid. A frame is made for its slot, not for the instant at
 * which the thread wakes up.
 */
public final class SlotSchedule extends FrameSchedule {

    private final TickRate framesPerSecond;
    private boolean started;
    private long originNanos;
    private long slot;

    /**
     * Creates a schedule. Its grid begins with the wait for the first frame, which is made for the slot one period later.
     *
     * @param framesPerSecond the rate of the slots
     * @param clock           the clock
     * @param waiter          how to wait
     */
    public SlotSchedule(TickRate framesPerSecond, NanoClock clock, Waiter waiter) {
        super(clock, waiter);
        this.framesPerSecond = Objects.requireNonNull(
                framesPerSecond, "framesPerSecond must not be null; pass TickRate.hertz(60), say");
    }

    @Override
    public boolean awaitFrame() {
        if (!started) {
            started = true;
            originNanos = clock.nanoTime();
        }
        long lastPassedSlot = framesPerSecond.tickAt(clock.nanoTime() - 1 - originNanos);
        if (lastPassedSlot > slot) {
            missedSlots += lastPassedSlot - slot;
            slot = lastPassedSlot;
        }
        slot++;
        targetNanos = originNanos + framesPerSecond.nanosAt(slot);
        displayNanos = targetNanos;
        return pacer.awaitUntil(targetNanos);
    }
}
