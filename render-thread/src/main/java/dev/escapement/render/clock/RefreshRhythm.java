package dev.escapement.render.clock;

/**
 * Estimates when frames are displayed from when their code runs: displays change pictures in equal periods, however irregularly the
 * scheduler runs the code that draws them. Times are snapped to whole periods, and never differ from the clock by more than half a period.
 *
 * <pre>{@code
 * RefreshRhythm rhythm = new RefreshRhythm(60);             // as the device reports it
 * while (playing) {
 *     view.advance(rhythm.displayNanos(System.nanoTime()));
 *     draw(view.poses());
 *     swapBuffers();                                        // waits for the display
 * }
 * }</pre>
 *
 * <p>The true period is learned, within bounds: at most {@value #MAX_PERCENT} % longer than the reported one, because many displays of
 * 59.94 Hz report 60, and at least that of one hertz more, because others report 59. A phase-locked loop follows phase and period: quickly
 * at first, then slowly, because its corrections are animation errors too. It passes on 1/128 of a frame's jitter.
 *
 * <p>For frames that wait for the display. Backends that know when a frame will be shown give that time to the view instead.
 *
 * <p>One rendering thread. Allocates nothing.
 *
 * @see dev.escapement.render.RenderLoop
 */
public final class RefreshRhythm {

    private static final int MAX_PERCENT = 1;

    /** The part of a phase error that is corrected per frame. */
    private static final double PHASE_GAIN = 1.0 / 128;

    /** The part of a phase error that corrects the period: a quarter of the squared phase gain damps critically. */
    private static final double PERIOD_GAIN = PHASE_GAIN * PHASE_GAIN / 4;

    /** After more periods than this without a frame, the rhythm restarts. */
    private static final int FORGET_PERIODS = 16;

    private final double shortestPeriodNanos;
    private final double longestPeriodNanos;
    private double periodNanos;
    private double frames = 1;
    private boolean started;
    private long previousNanos;

    // The last display time: whole nanoseconds and the fraction.
    private long displayNanos;
    private double fractionNanos;

    /**
     * Creates a rhythm without frames.
     *
     * @param refreshHertz the display's rate, as the device reports it
     * @throws IllegalArgumentException if it is not a number, or not within 1 and 1000 Hz
     */
    public RefreshRhythm(double refreshHertz) {
        if (!(refreshHertz >= 1 && refreshHertz <= 1000)) {
            throw new IllegalArgumentException("a display's rate must be within 1 and 1000 Hz, but is " + refreshHertz
                    + " Hz; where the device does not know, 60 is the best guess");
        }
        periodNanos = 1e9 / refreshHertz;
        shortestPeriodNanos = 1e9 / (refreshHertz + 1);
        longestPeriodNanos = periodNanos * (1 + MAX_PERCENT / 100.0);
    }

    /**
     * The display time of a frame. Frames in the same period get the same time.
     *
     * @param nowNanos when the frame's code runs, an instant of the clock
     * @return an instant of the clock, within half a period of {@code nowNanos} and not before that of the last frame
     * @throws IllegalArgumentException if the clock went backwards
     */
    public long displayNanos(long nowNanos) {
        if (started && nowNanos - previousNanos < 0) {
            throw new IllegalArgumentException(
                    "the clock went backwards by " + (previousNanos - nowNanos) + " ns between two frames");
        }
        previousNanos = nowNanos;
        double sinceNanos = nowNanos - displayNanos - fractionNanos;
        long periods = Math.round(sinceNanos / periodNanos);
        if (!started || periods > FORGET_PERIODS) {
            started = true;
            displayNanos = nowNanos;
            fractionNanos = 0;
        } else if (periods > 0) {
            follow(periods, sinceNanos - periods * periodNanos);
        }
        return displayNanos;
    }

    /** {@return the display's period as learned so far, in nanoseconds} */
    public double periodNanos() {
        return periodNanos;
    }

    private void follow(long periods, double errorNanos) {
        // At first the gains of a line fitted to the frames so far; they fall until they reach the gains of the loop.
        frames++;
        double pairs = frames * (frames + 1);
        double phaseGain = Math.max(PHASE_GAIN, 2 * (2 * frames - 1) / pairs);
        double periodGain = Math.max(PERIOD_GAIN, 6 / pairs);
        double stepNanos = fractionNanos + periods * periodNanos + errorNanos * phaseGain;
        long wholeNanos = (long) stepNanos;
        displayNanos += wholeNanos;
        fractionNanos = stepNanos - wholeNanos;
        double learned = periodNanos + errorNanos * periodGain / periods;
        periodNanos = Math.min(longestPeriodNanos, Math.max(shortestPeriodNanos, learned));
    }
}
