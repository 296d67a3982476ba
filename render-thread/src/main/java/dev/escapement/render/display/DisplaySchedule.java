package dev.escapement.render.display;

import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Waiter;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Schedules one frame per period of the display, and learns its rhythm.
 *
 * <p>Usually drawing waits for the display, and the next frame starts immediately. If drawing does not wait, for example with a minimised
 * window, frames keep to the last learned period, or to the reported rate, or to 60 Hz.
 */
public final class DisplaySchedule extends FrameSchedule {

    private static final long GUESSED_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1) / 60;

    /** If drawing waits for a display of up to 360 Hz, no three frames in a row are shorter than this, however unevenly they begin. */
    private static final long MIN_FRAME_NANOS = 2_000_000;

    /**
     * If the rate of the fastest display is known, a frame is short below this many of its periods, instead of {@link #MIN_FRAME_NANOS}.
     * The learned period is no bound, because the window may move to a faster display.
     */
    private static final double MIN_FRAME_PERIODS = 0.6;

    private static final int MAX_SHORT_FRAMES = 3;

    /** After this many short frames in a row of at least {@link #MIN_FRAME_NANOS}, the schedule probes whether drawing waits again. */
    private static final int FRAMES_PER_TRY = 128;

    /** The schedule asks so often for the reported rate: the window may move to a faster display, or its display change its rate. */
    private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final double MIN_HERTZ = 20; // devices that do not know their rate report 0 or 1
    private static final double MAX_HERTZ = 2000;

    private final DisplayRhythm rhythm = new DisplayRhythm();
    private final Supplier<OptionalDouble> reportedHertz;
    private double hertz;
    private long askedNanos;
    private double minFrameNanos = MIN_FRAME_NANOS;
    private double periodNanos = GUESSED_PERIOD_NANOS;
    private boolean started;
    private long callNanos;
    private int shortFrames;
    private int longerFrames;

    /**
     * Creates a schedule that knows no rhythm yet.
     *
     * @param clock         the clock
     * @param waiter        how to wait if drawing does not wait
     * @param reportedHertz returns the rate of the fastest display that there is, as the device reports it; called before the first frame,
     *                      and then once a second
     */
    public DisplaySchedule(NanoClock clock, Waiter waiter, Supplier<OptionalDouble> reportedHertz) {
        super(clock, waiter);
        this.reportedHertz = reportedHertz;
    }

    @Override
    public boolean awaitFrame() {
        long previousDisplayNanos = displayNanos;
        long previousCallNanos = callNanos;
        callNanos = clock.nanoTime();
        if (!started || callNanos - askedNanos >= ASK_NANOS) {
            askedNanos = callNanos;
            follow(reportedHertz.get().orElse(0));
        }
        countShort(callNanos - previousCallNanos);
        if (shortFrames == MAX_SHORT_FRAMES) {
            awaitNextPeriod();
        } else {
            long moment = rhythm.displayNanos(callNanos);
            // never before the slot of the last frame, which a late timer may have moved beyond this moment
            displayNanos = started ? displayNanos + Math.max(0, moment - displayNanos) : moment;
            targetNanos = rhythm.targetNanos();
            periodNanos = rhythm.periodNanos() > 0 ? rhythm.periodNanos() : periodNanos;
        }
        long frameNanos = displayNanos - previousDisplayNanos;
        // A renderer of a few frames a second may never show the display's rhythm, but misses periods of any display.
        boolean isPeriodKnown = shortFrames == MAX_SHORT_FRAMES || rhythm.periodNanos() > 0;
        if (started && (isPeriodKnown || frameNanos > 1e9 / MIN_HERTZ)) {
            long periods = Math.round(frameNanos / periodNanos);
            missedSlots += Math.max(0, periods - 1);
        }
        started = true;
        return !pacer.isCancelled();
    }

    /** Adopts another reported rate. Frames that were short for the former display may wait for this one. */
    private void follow(double newHertz) {
        if (newHertz != hertz) {
            hertz = newHertz;
            boolean isKnown = hertz >= MIN_HERTZ && hertz <= MAX_HERTZ;
            periodNanos = isKnown ? 1e9 / hertz : GUESSED_PERIOD_NANOS;
            minFrameNanos = isKnown ? MIN_FRAME_PERIODS * periodNanos : MIN_FRAME_NANOS;
            shortFrames = 0;
        }
    }

    private void countShort(long frameNanos) {
        boolean isShort = started && frameNanos < minFrameNanos;
        shortFrames = isShort ? Math.min(MAX_SHORT_FRAMES, shortFrames + 1) : 0;
        boolean mayWait = shortFrames == MAX_SHORT_FRAMES && frameNanos >= MIN_FRAME_NANOS;
        longerFrames = mayWait ? longerFrames + 1 : 0;
        // Measured from the end of the timer's wait, a frame that waits for the next refresh may be short, too.
        if (longerFrames == FRAMES_PER_TRY) {
            longerFrames = 0;
            shortFrames = 0;
        }
    }

    /**
     * Waits by the timer, and forgets the rhythm, because the timer does not follow the display. Skips the periods by which the timer is
     * late.
     */
    private void awaitNextPeriod() {
        rhythm.forget();
        displayNanos += Math.round(periodNanos);
        if (pacer.awaitUntil(displayNanos)) {
            callNanos = clock.nanoTime();
            targetNanos = callNanos;
            long passed = Math.round((callNanos - displayNanos) / periodNanos);
            displayNanos += Math.round(passed * periodNanos);
        }
    }
}
