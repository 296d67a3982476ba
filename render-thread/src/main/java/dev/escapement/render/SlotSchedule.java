package dev.escapement.render;

import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Waiter;
import java.util.Objects;

/**
 * Schedules frames in slots of a rate, computed from the slot's number: a frame that takes too long misses slots, and the next one keeps to
 * the grid. The frame is made for its slot, not for when the thread woke up.
 */
final class SlotSchedule extends FrameSchedule {

    private final TickRate framesPerSecond;
    private boolean started;
    private long originNanos;
    private long slot;

    SlotSchedule(TickRate framesPerSecond, NanoClock clock, Waiter waiter) {
        super(clock, waiter);
        this.framesPerSecond = Objects.requireNonNull(
                framesPerSecond, "framesPerSecond must not be null; pass TickRate.hertz(60), say");
    }

    @Override
    boolean awaitFrame() {
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
        nowNanos = originNanos + framesPerSecond.nanosAt(slot);
        displayNanos = nowNanos;
        return pacer.awaitUntil(nowNanos);
    }

    @Override
    boolean followsDisplay() {
        return false;
    }
}
