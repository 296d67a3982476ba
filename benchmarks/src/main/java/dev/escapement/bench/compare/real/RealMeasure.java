package dev.escapement.bench.compare.real;

import dev.escapement.bench.compare.contest.Contestant;
import dev.escapement.bench.compare.contest.LoadProfile;
import dev.escapement.bench.compare.contest.RefreshCase;
import dev.escapement.bench.compare.measure.FrameMeasure;
import dev.escapement.bench.compare.picture.Picture;
import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.render.clock.AnimationError;
import dev.escapement.state.time.Timeline;

/**
 * Measures pictures by the slots they were meant for, by those they were in time for, and by when they were complete.
 *
 * <p>Render thread.
 */
final class RealMeasure {

    private final SlotLoop loop;
    private final FrameMeasure bySlot;
    private final AnimationError byDisplay = new AnimationError("displayed");
    private final AnimationError byCompletion = new AnimationError("completion");
    private final Timeline realTime;
    private final long warmNanos;

    RealMeasure(
            SlotLoop loop,
            Contestant contestant,
            LoadProfile load,
            RefreshCase refresh,
            long startNanos,
            long warmUpNanos) {
        this.loop = loop;
        bySlot = new FrameMeasure(contestant, load, refresh, startNanos, warmUpNanos);
        realTime = new Timeline(refresh.tickRate());
        realTime.startAt(0, startNanos, contestant.timeScale());
        warmNanos = startNanos + warmUpNanos;
    }

    /** A frame that has just been drawn. */
    void frame(Picture picture, long displayNanos) {
        long completedNanos = System.nanoTime();
        bySlot.frame(picture, displayNanos);
        byDisplay.frame(picture.shownSimNanos(), realTime, loop.firstSlotFrom(completedNanos));
        byCompletion.frame(picture.shownSimNanos(), realTime, completedNanos);
        if (displayNanos - warmNanos < 0) {
            byDisplay.reset();
            byCompletion.reset();
        }
    }

    RealResult result() {
        return new RealResult(
                bySlot.measured().result(), Summary.of(byDisplay), Summary.of(byCompletion), loop.missedSlots());
    }
}
