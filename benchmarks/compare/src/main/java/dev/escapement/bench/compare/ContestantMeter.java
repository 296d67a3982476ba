package dev.escapement.bench.compare;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.render.tools.AnimationError;
import dev.escapement.render.tools.Unevenness;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;

/**
 * Measures, in each display slot, the difference between the motion that a contestant drew and the correct motion, which follows real time
 * or the contestant's intended fraction of it.
 *
 * <p>Render thread.
 */
final class ContestantMeter {

    /**
     * The maximum difference from real speed at which the look-behind is reported. If a world drifts more, the look-behind grows with the
     * length of the run and says nothing.
     */
    private static final double MAX_DRIFT = 0.01;

    private final Case run;
    private final Timeline trueTime;
    private final long warmNanos;
    private final AnimationError error;
    private final Unevenness unevenness = new Unevenness();
    private final Distribution lookBehind = new Distribution();
    private final Distribution positionError = new Distribution();
    // This field and those below cover the time after the warm-up.
    private long frames;
    private long firstShownNanos;
    private long firstSlotNanos;
    private long simulatedNanos;
    private long realNanos;
    private double lowestMetres;

    /** Creates a meter without frames. Simulated time and display time start at 0. Frames within {@code warmNanos} are not measured. */
    ContestantMeter(Case run, long warmNanos) {
        this.run = run;
        this.warmNanos = warmNanos;
        error = new AnimationError(run.contestant().toString());
        trueTime = new Timeline(run.refresh().tickRate());
        trueTime.startAt(0, 0, run.contestant().timeScale());
    }

    void frame(Picture picture, long slotNanos) {
        boolean isWarm = slotNanos >= warmNanos;
        long shownNanos = picture.shownSimNanos();
        if (isWarm && frames == 0) {
            error.reset();
            unevenness.reset();
            firstShownNanos = shownNanos;
            firstSlotNanos = slotNanos;
        }
        error.frame(shownNanos, trueTime, slotNanos);
        unevenness.frame(shownNanos, slotNanos);
        if (!isWarm) {
            return;
        }
        frames++;
        lookBehind.record(trueTime.simNanosAt(slotNanos) - shownNanos);
        simulatedNanos = shownNanos - firstShownNanos;
        realNanos = slotNanos - firstSlotNanos;
        positionError.record(Math.round(1e9 * Math.abs(picture.ballHeight() - trueHeight(shownNanos))));
        lowestMetres = Math.min(lowestMetres, picture.ballHeight());
    }

    /**
     * The ball's height on the straight line between its heights at the ticks before and after {@code simNanos}. A picture that blends two
     * snapshots can show nothing better.
     */
    private double trueHeight(long simNanos) {
        TickRate rate = run.refresh().tickRate();
        long tick = rate.tickAt(simNanos);
        double alpha = (double) (simNanos - rate.nanosAt(tick)) / rate.nanosAt(1);
        double dt = rate.dtSeconds();
        return Picture.blend(Scene.ballHeightAfter(tick * dt), Scene.ballHeightAfter((tick + 1) * dt), alpha);
    }

    Result result() {
        double realSeconds = realNanos / 1e9;
        double speed = simulatedNanos / 1e9 / realSeconds;
        boolean atRealSpeed = run.contestant().keepsTime() && Math.abs(speed - 1) <= MAX_DRIFT;
        return new Result(
                run.contestant(),
                run.load(),
                run.refresh(),
                frames,
                (frames - 1) / realSeconds,
                Summary.of(error),
                error.repeatsPer10000(),
                error.skipsPer10000(),
                100 * unevenness.mean(),
                100 * unevenness.percentile(99),
                unevenness.abruptFrames(),
                unevenness.standingFrames(),
                atRealSpeed ? lookBehind.summary() : null,
                speed,
                -1000 * lowestMetres,
                run.contestant().hasConstantStep() ? positionError.summary() : null);
    }
}
