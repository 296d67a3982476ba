package dev.escapement.bench.view;

import java.util.Locale;

/**
 * Adds to the state of time how fast the picture really moves, where it is not as fast as that says: for example because steps take longer
 * than ticks.
 *
 * <p>Render thread. Allocates a text once a second.
 */
final class ShownSpeed {

    private static final long WINDOW_NANOS = 1_000_000_000L;

    /** The interpolation delay changes the speed by less. */
    private static final double VISIBLE = 0.03;

    private Asked asked = new Asked("", 1);
    private String addition = "";
    private long fromSimNanos;
    private long fromNanos;
    private boolean started;

    /**
     * What a person has made of time and of steps.
     *
     * @param text  in words, empty if nothing
     * @param speed simulated over real time that follows from it, 0 where time stands still
     */
    record Asked(String text, double speed) {}

    /**
     * The text of a frame.
     *
     * @param nowAsked      another one begins a new measurement
     * @param shownSimNanos the simulated time that the frame shows
     * @param displayNanos  when it is displayed
     */
    String text(Asked nowAsked, long shownSimNanos, long displayNanos) {
        if (!started || !nowAsked.equals(asked)) {
            started = true;
            asked = nowAsked;
            addition = "";
            begin(shownSimNanos, displayNanos);
        } else if (displayNanos - fromNanos >= WINDOW_NANOS) {
            double speed = (double) (shownSimNanos - fromSimNanos) / (displayNanos - fromNanos);
            boolean isSlow = asked.speed() > 0 && Math.abs(speed - asked.speed()) > VISIBLE * asked.speed();
            addition = isSlow ? String.format(Locale.ROOT, "%.2f of real time", speed) : "";
            begin(shownSimNanos, displayNanos);
        }
        return asked.text() + (asked.text().isEmpty() || addition.isEmpty() ? "" : "   ") + addition;
    }

    private void begin(long shownSimNanos, long displayNanos) {
        fromSimNanos = shownSimNanos;
        fromNanos = displayNanos;
    }
}
