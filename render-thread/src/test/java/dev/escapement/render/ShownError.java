package dev.escapement.render;

import dev.escapement.state.time.Timeline;
import java.util.ArrayList;
import java.util.List;

/** By how much pictures move too far, or not far enough, from one frame to the next: shown time against simulated time. */
public final class ShownError {

    private final List<Long> errorNanos = new ArrayList<>();
    private boolean started;
    private long shownNanos;
    private long displayedNanos;

    /** Adds a frame that shows a simulated time at an instant. */
    public void frame(long newShownNanos, Timeline timeline, long newDisplayedNanos) {
        if (started && timeline.remembers(displayedNanos)) {
            long wanted = timeline.simNanosAt(newDisplayedNanos) - timeline.simNanosAt(displayedNanos);
            errorNanos.add(Math.abs(newShownNanos - shownNanos - wanted));
        }
        started = true;
        shownNanos = newShownNanos;
        displayedNanos = newDisplayedNanos;
    }

    /** Forgets what was measured, for the end of a warm-up. */
    public void reset() {
        errorNanos.clear();
    }

    /** Throws if nothing was measured. */
    public double meanNanos() {
        return errorNanos.stream().mapToLong(nanos -> nanos).average().orElseThrow();
    }
}
