package dev.escapement.bench.compare;

import dev.escapement.bench.compare.Comparison.RealResult;
import dev.escapement.bench.compare.Comparison.Result;
import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.measure.FrameMeter;
import dev.escapement.bench.measure.Series;
import dev.escapement.render.clock.AnimationError;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;

/**
 * Measures how far what a contestant has drawn in each display slot is from how the world should have moved, which is real time, or the
 * part of it that the contestant is meant to run at.
 *
 * <p>Render thread.
 */
final class ContestantMeter {

    /** A world that loses more is not behind by so much: it runs at another speed. */
    private static final double MOST_DRIFT = 0.01;

    private static final double EXPECTED_FRAMES = 5000;

    private final Case run;
    private final Timeline trueTime;
    private final long warmNanos;
    private final FrameMeter meter;
    private final AnimationError byDisplay = new AnimationError("displayed");
    private final Distribution positionError = new Distribution();
    private final Series errorMillis = new Series(EXPECTED_FRAMES);
    private boolean warm;
    private long firstShownNanos;
    private long firstDisplayedNanos;
    private long simulatedNanos;
    private long realNanos;
    private double lowestMetres;
    private long holdsBefore;
    private long holds;

    /** What one contestant did: in figures, and its signed error in each frame, by the seconds since the end of the warm-up. */
    record Measured(Result result, Series errorMillis) {}

    /** A meter that has seen no frame: simulated time starts at an instant of the clock, and frames are left out for so long. */
    ContestantMeter(Case run, long startNanos, long warmUpNanos) {
        this.run = run;
        warmNanos = startNanos + warmUpNanos;
        meter = new FrameMeter(run.contestant().toString());
        trueTime = new Timeline(run.refresh().tickRate());
        trueTime.startAt(0, startNanos, run.contestant().timeScale());
    }

    /** Adds a frame that is displayed in the slot it was meant for. */
    void frame(Picture picture, long displayedNanos) {
        frame(picture, displayedNanos, displayedNanos, displayedNanos);
    }

    /**
     * Adds a frame.
     *
     * @param picture        what it has drawn
     * @param slotNanos      the slot it was meant for
     * @param displayedNanos the slot it was in time for
     * @param completedNanos when its drawing was complete
     */
    void frame(Picture picture, long slotNanos, long displayedNanos, long completedNanos) {
        if (!warm && slotNanos - warmNanos >= 0) {
            warm = true;
            meter.reset();
            byDisplay.reset();
        }
        long shownNanos = picture.shownSimNanos();
        long errorNanos = meter.frame(shownNanos, trueTime, slotNanos, completedNanos);
        byDisplay.frame(shownNanos, trueTime, displayedNanos);
        if (!warm) {
            holdsBefore = picture.holds();
            return;
        }
        if (meter.frames() == 1) {
            firstShownNanos = shownNanos;
            firstDisplayedNanos = slotNanos;
        }
        simulatedNanos = shownNanos - firstShownNanos;
        realNanos = slotNanos - firstDisplayedNanos;
        holds = picture.holds() - holdsBefore;
        positionError.record(Math.round(1e9 * Math.abs(picture.ballHeight() - trueHeight(shownNanos))));
        lowestMetres = Math.min(lowestMetres, picture.ballHeight());
        errorMillis.add((slotNanos - warmNanos) / 1e9, errorNanos / 1e6);
    }

    /** On the straight line between the ticks around a moment, as far as any picture can know. */
    private double trueHeight(long simNanos) {
        TickRate rate = run.refresh().tickRate();
        long tick = rate.tickAt(simNanos);
        double alpha = (double) (simNanos - rate.nanosAt(tick)) / rate.nanosAt(1);
        double dt = rate.dtSeconds();
        return Picture.blend(Ball.heightAfter(tick * dt), Ball.heightAfter((tick + 1) * dt), alpha);
    }

    /**
     * What came out.
     *
     * @throws IllegalStateException if fewer than two frames were measured
     */
    Measured measured() {
        long frames = warm ? meter.frames() : 0;
        if (frames < 2) {
            throw new IllegalStateException(run.contestant() + " was measured for " + frames
                    + " frames, which shows nothing; measure for longer than the warm-up");
        }
        double realSeconds = realNanos / 1e9;
        double speed = simulatedNanos / 1e9 / realSeconds;
        boolean atRealSpeed = run.contestant().keepsTime() && Math.abs(speed - 1) <= MOST_DRIFT;
        Result result = new Result(
                run.contestant(),
                run.load(),
                run.refresh(),
                frames,
                (frames - 1) / realSeconds,
                Summary.of(meter.bySlot()),
                meter.bySlot().repeatsPer10000(),
                meter.bySlot().skipsPer10000(),
                atRealSpeed ? meter.lookBehind().summary() : null,
                speed,
                -1000 * lowestMetres,
                run.contestant().hasConstantStep() ? positionError.summary() : null,
                holds);
        return new Measured(result, errorMillis);
    }

    /** What came out on real threads, where so many slots had no frame. */
    RealResult realResult(long missedSlots) {
        return new RealResult(
                measured().result(), Summary.of(byDisplay), Summary.of(meter.byCompletion()), missedSlots);
    }
}
