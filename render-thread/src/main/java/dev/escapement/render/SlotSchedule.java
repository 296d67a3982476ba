package dev.escapement.render;

import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TickRate;
import java.util.Objects;

/**
 * Schedules frames in slots of a rate, computed from the slot's number: a frame that takes too long misses slots, and the next one keeps to
 * the grid.
 */
final class SlotSchedule implements FrameSchedule {

    private final TickRate framesPerSecond;
    private final NanoClock clock;
    private final Pacer pacer;
    private boolean started;
    private long originNanos;
    private long slot;
    private long missedSlots;

    SlotSchedule(TickRate framesPerSecond, NanoClock clock, Pacer pacer) {
        this.framesPerSecond = Objects.requireNonNull(
                framesPerSecond, "framesPerSecond must not be null; pass TickRate.hertz(60), say");
        this.clock = clock;
        this.pacer = pacer;
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
        return pacer.awaitUntil(nowNanos());
    }

    /** The instant of the slot, not when the thread woke up. */
    @Override
    public long nowNanos() {
        return originNanos + framesPerSecond.nanosAt(slot);
    }

    @Override
    public long displayNanos() {
        return nowNanos();
    }

    @Override
    public long missedSlots() {
        return missedSlots;
    }

    @Override
    public boolean followsDisplay() {
        return false;
    }
}
