package dev.escapement.bench.measure;

import dev.escapement.render.clock.AnimationError;
import dev.escapement.state.time.Timeline;

/**
 * Measures frames by the simulated time that each shows: how evenly it moves, how far behind it is, and how evenly frames follow each
 * other.
 *
 * <p>Rendering thread. Allocates nothing after construction.
 */
public final class FrameMeter {

    private final AnimationError bySlot;
    private final AnimationError byCompletion = new AnimationError("completion");
    private final Distribution interval = new Distribution();
    private final Distribution lookBehind = new Distribution();
    private long frames;
    private boolean started;
    private long previousCompletedNanos;

    /** Measures frames whose slot errors are known to the Flight Recorder under this name. */
    public FrameMeter(String slotMeasure) {
        bySlot = new AnimationError(slotMeasure);
    }

    /**
     * Adds a frame.
     *
     * @param shownSimNanos  the simulated time that it shows
     * @param timeline       what it should have shown
     * @param slotNanos      the display slot that it was meant for
     * @param completedNanos when its drawing was complete
     * @return the signed animation error by slot, nanoseconds
     */
    public long frame(long shownSimNanos, Timeline timeline, long slotNanos, long completedNanos) {
        long slotErrorNanos = bySlot.frame(shownSimNanos, timeline, slotNanos);
        byCompletion.frame(shownSimNanos, timeline, completedNanos);
        lookBehind.record(timeline.simNanosAt(slotNanos) - shownSimNanos);
        if (started) {
            interval.record(completedNanos - previousCompletedNanos);
        }
        started = true;
        previousCompletedNanos = completedNanos;
        frames++;
        return slotErrorNanos;
    }

    /** Forgets all frames, but not where the last one was: for the end of a warm-up. */
    public void reset() {
        bySlot.reset();
        byCompletion.reset();
        lookBehind.reset();
        interval.reset();
        frames = 0;
    }

    /** How many frames were added since the last reset. */
    public long frames() {
        return frames;
    }

    /** Between the ends of two frames. */
    public Distribution interval() {
        return interval;
    }

    /** How far behind the timeline the picture is. */
    public Distribution lookBehind() {
        return lookBehind;
    }

    /** By display slot. */
    public AnimationError bySlot() {
        return bySlot;
    }

    /** By when drawing was complete. */
    public AnimationError byCompletion() {
        return byCompletion;
    }
}
