package dev.escapement.render;

import dev.escapement.render.clock.RefreshRhythm;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Waiter;
import java.util.Objects;

/**
 * Schedules one frame per period of the display. Usually drawing waits for the display, and the next frame starts immediately. If drawing
 * does not wait, because the window is minimised or the driver does not wait, this waits for the rest of the period.
 */
final class DisplaySchedule extends FrameSchedule {

    private final RefreshRhythm rhythm;
    private boolean started;

    DisplaySchedule(RefreshRhythm rhythm, NanoClock clock, Waiter waiter) {
        super(clock, waiter);
        this.rhythm = Objects.requireNonNull(rhythm, "rhythm must not be null; pass that of the display");
    }

    @Override
    boolean awaitFrame() {
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
            // The deadline first, so that the rhythm does not learn its period from the timer's oversleep.
            rhythm.displayNanos(deadlineNanos);
            displayNanos = rhythm.displayNanos(nowNanos);
        }
    }

    @Override
    boolean followsDisplay() {
        return true;
    }
}
