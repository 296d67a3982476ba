package dev.escapement.render.display;

import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Waiter;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * Schedules one frame per period of the display, whose rhythm it learns. Usually drawing waits for the display, and the next frame starts
 * immediately. If drawing does not wait, because the window is minimised or the driver does not wait, frames keep to the period that was
 * learned last, or to the rate that was reported, or to 60 Hz.
 */
public final class DisplaySchedule extends FrameSchedule {

    private static final long GUESSED_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1) / 60;

    /** Three frames in a row shorter than this: no display of up to 360 Hz is so fast, however unevenly its frames begin. */
    private static final long MIN_FRAME_NANOS = 2_000_000;

    /** The same in periods of the fastest display, where that is known. The learned one says less: a window moves to a faster display. */
    private static final double MIN_FRAME_PERIODS = 0.6;

    private static final int MAX_SHORT_FRAMES = 3;

    /** After so many frames of at least {@link #MIN_FRAME_NANOS} it is tried whether drawing waits now: with a window that is back, say. */
    private static final int FRAMES_PER_TRY = 128;

    private static final double MIN_HERTZ = 20; // devices that do not know their rate report 0 or 1
    private static final double MAX_HERTZ = 2000;

    private final DisplayRhythm rhythm = new DisplayRhythm();
    private final double minFrameNanos;
    private double periodNanos;
    private boolean started;
    private long wokenNanos;
    private int shortFrames;
    private int longerFrames;

    /**
     * Creates a schedule that knows no rhythm yet.
     *
     * @param clock         the clock
     * @param waiter        waits where drawing does not
     * @param reportedHertz the rate of the fastest display that there is, as the device reports it
     */
    public DisplaySchedule(NanoClock clock, Waiter waiter, OptionalDouble reportedHertz) {
        super(clock, waiter);
        double hertz = reportedHertz.orElse(0);
        boolean isKnown = hertz >= MIN_HERTZ && hertz <= MAX_HERTZ;
        periodNanos = isKnown ? 1e9 / hertz : GUESSED_PERIOD_NANOS;
        minFrameNanos = isKnown ? MIN_FRAME_PERIODS * periodNanos : MIN_FRAME_NANOS;
    }

    @Override
    public boolean awaitFrame() {
        long previousDisplayNanos = displayNanos;
        long previousNanos = wokenNanos;
        wokenNanos = clock.nanoTime();
        countShort(wokenNanos - previousNanos);
        if (shortFrames == MAX_SHORT_FRAMES) {
            awaitNextPeriod();
        } else {
            long moment = rhythm.displayNanos(wokenNanos);
            displayNanos = started ? displayNanos + Math.max(0, moment - displayNanos) : moment; // after a late timer
            nowNanos = rhythm.madeNanos();
            periodNanos = rhythm.periodNanos() > 0 ? rhythm.periodNanos() : periodNanos;
        }
        if (started && (shortFrames == MAX_SHORT_FRAMES || rhythm.periodNanos() > 0)) {
            long periods = Math.round((displayNanos - previousDisplayNanos) / periodNanos);
            missedSlots += Math.max(0, periods - 1);
        }
        started = true;
        return !pacer.isCancelled();
    }

    private void countShort(long frameNanos) {
        boolean isShort = started && frameNanos < minFrameNanos;
        shortFrames = isShort ? Math.min(MAX_SHORT_FRAMES, shortFrames + 1) : 0;
        boolean mayWait = shortFrames == MAX_SHORT_FRAMES && frameNanos >= MIN_FRAME_NANOS;
        longerFrames = mayWait ? longerFrames + 1 : 0;
        if (longerFrames == FRAMES_PER_TRY) { // from the timer to the display's next picture is a part of a period, too
            longerFrames = 0;
            shortFrames = 0;
        }
    }

    /** Of a rhythm of its own, so that the display's is learned anew. A timer that is late by periods misses them. */
    private void awaitNextPeriod() {
        rhythm.forget();
        displayNanos += Math.round(periodNanos);
        if (pacer.awaitUntil(displayNanos)) {
            wokenNanos = clock.nanoTime();
            nowNanos = wokenNanos;
            long passed = Math.round((wokenNanos - displayNanos) / periodNanos);
            displayNanos += Math.round(passed * periodNanos);
        }
    }

    @Override
    public boolean followsDisplay() {
        return true;
    }
}
