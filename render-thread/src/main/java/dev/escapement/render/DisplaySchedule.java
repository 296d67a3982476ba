package dev.escapement.render;

import dev.escapement.render.clock.RefreshRhythm;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;

/**
 * One frame in each period of the display. Usually drawing waits for the display, and the next frame follows at once. Where it does not
 * wait, because the window is minimised or the driver will not, the rest of the period is waited for here.
 */
final class DisplaySchedule implements FrameSchedule {

    private final RefreshRhythm rhythm;
    private final NanoClock clock;
    private final Pacer pacer;
    private boolean started;
    private long nowNanos;
    private long displayNanos;
    private long missedSlots;

    DisplaySchedule(RefreshRhythm rhythm, NanoClock clock, Pacer pacer) {
        this.rhythm = rhythm;
        this.clock = clock;
        this.pacer = pacer;
    }

    @Override
    public boolean awaitFrame() {
        long previousNanos = displayNanos;
        nowNanos = clock.nanoTime();
        displayNanos = rhythm.displayNanos(nowNanos);
        if (started && displayNanos == previousNanos) {
            awaitNextPeriod();
        }
        if (started) {
            long periods = Math.round((displayNanos - previousNanos) / rhythm.periodNanos());
            missedSlots += Math.max(0, periods - 1);
        }
        started = true;
        return !pacer.isCancelled();
    }

    private void awaitNextPeriod() {
        long deadlineNanos = displayNanos + Math.round(rhythm.periodNanos());
        if (pacer.awaitUntil(deadlineNanos)) {
            nowNanos = clock.nanoTime();
            // The deadline first: how late the timer wakes a thread is nothing to learn the display's period from.
            rhythm.displayNanos(deadlineNanos);
            displayNanos = rhythm.displayNanos(nowNanos);
        }
    }

    @Override
    public long nowNanos() {
        return nowNanos;
    }

    @Override
    public long displayNanos() {
        return displayNanos;
    }

    @Override
    public long missedSlots() {
        return missedSlots;
    }

    @Override
    public boolean followsDisplay() {
        return true;
    }
}
