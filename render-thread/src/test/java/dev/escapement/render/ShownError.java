package dev.escapement.render;

import dev.escapement.state.time.Timeline;
import java.util.ArrayList;
import java.util.List;

/** Measures the animation error: displayed steps from frame to frame against the steps of simulated time. */
public final class ShownError {

    private final List<Long> errorNanos = new ArrayList<>();
    private boolean started;
    private long shownNanos;
    private long displayedNanos;

    /** Adds a frame that shows simulated time {@code newShownNanos} at the instant {@code newDisplayedNanos}. */
    public void frame(long newShownNanos, Timeline timeline, long newDisplayedNanos) {
        if (started && timeline.remembers(displayedNanos)) {
            long wanted = timeline.simNanosAt(newDisplayedNanos) - timeline.simNanosAt(displayedNanos);
            errorNanos.add(Math.abs(newShownNanos - shownNanos - wanted));
        }
        started = true;
        shownNanos = newShownNanos;
        displayedNanos = newDisplayedNanos;
    }

    public void reset() {
        errorNanos.clear();
    }

    /** Returns the mean absolute error. Throws if nothing was measured. */
    public double meanNanos() {
        return errorNanos.stream().mapToLong(nanos -> nanos).average().orElseThrow();
    }
}
