package dev.escapement.bench.compare.measure;

import dev.escapement.bench.compare.contest.Contestant;
import dev.escapement.bench.compare.contest.LoadProfile;
import dev.escapement.bench.compare.contest.RefreshCase;
import dev.escapement.bench.compare.contest.Result;
import dev.escapement.bench.compare.picture.Picture;
import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.render.clock.AnimationError;
import dev.escapement.state.time.Timeline;

/**
 * Measures how far what was drawn in each display slot is from how the world should have moved, which is real time, or the part of it
 * that the contestant is meant to run at.
 *
 * <p>Render thread.
 */
public final class FrameMeasure {

    /** A world that loses more is not behind by so much: it runs at another speed. */
    private static final double MOST_DRIFT = 0.01;

    private static final double EXPECTED_SECONDS = 20;

    private final Contestant contestant;
    private final LoadProfile load;
    private final RefreshCase refresh;
    private final Timeline trueTime;
    private final long startNanos;
    private final long warmNanos;
    private final AnimationError error;
    private final Distribution lookBehind = new Distribution();
    private final Curves curves;
    private long frames;
    private long firstShownNanos;
    private long firstDisplayedNanos;
    private long lastShownNanos;
    private long lastDisplayedNanos;
    private double lowestMetres;
    private long holdsBefore;
    private long holds;

    /**
     * A measure that has seen no frame.
     *
     * @param contestant  who
     * @param load        under which load
     * @param refresh     at which rates
     * @param startNanos  when simulated time starts, an instant of the clock
     * @param warmUpNanos how long after it frames are left out
     */
    public FrameMeasure(
            Contestant contestant, LoadProfile load, RefreshCase refresh, long startNanos, long warmUpNanos) {
        this.contestant = contestant;
        this.load = load;
        this.refresh = refresh;
        this.startNanos = startNanos;
        warmNanos = startNanos + warmUpNanos;
        error = new AnimationError(contestant.toString());
        trueTime = new Timeline(refresh.tickRate());
        trueTime.startAt(0, startNanos, contestant.timeScale());
        curves = new Curves(EXPECTED_SECONDS * refresh.display().inHertz());
    }

    /**
     * Adds a frame.
     *
     * @param picture        what it has drawn
     * @param displayedNanos the slot in which that is displayed
     */
    public void frame(Picture picture, long displayedNanos) {
        long shownNanos = picture.shownSimNanos();
        long errorNanos = error.frame(shownNanos, trueTime, displayedNanos);
        if (displayedNanos - warmNanos < 0) {
            error.reset();
            holdsBefore = picture.holds();
            return;
        }
        if (frames++ == 0) {
            firstShownNanos = shownNanos;
            firstDisplayedNanos = displayedNanos;
        }
        lastShownNanos = shownNanos;
        lastDisplayedNanos = displayedNanos;
        holds = picture.holds() - holdsBefore;
        lowestMetres = Math.min(lowestMetres, picture.ballHeight());
        lookBehind.record(displayedNanos - startNanos - shownNanos);
        double seconds = (displayedNanos - warmNanos) / 1e9;
        curves.ballHeight().add(seconds, picture.ballHeight());
        curves.errorMillis().add(seconds, errorNanos / 1e6);
        curves.aheadMillis().add(seconds, (simulatedNanos() - realNanos()) / 1e6);
    }

    /**
     * What came out.
     *
     * @throws IllegalStateException if fewer than two frames were measured
     */
    public Measured measured() {
        if (frames < 2) {
            throw new IllegalStateException(contestant + " was measured for " + frames
                    + " frames, which shows nothing; measure for longer than the warm-up");
        }
        double realSeconds = realNanos() / 1e9;
        double speed = simulatedNanos() / 1e9 / realSeconds;
        boolean atRealSpeed = contestant.keepsTime() && Math.abs(speed - 1) <= MOST_DRIFT;
        return new Measured(
                new Result(
                        contestant,
                        load,
                        refresh,
                        frames,
                        (frames - 1) / realSeconds,
                        Summary.of(error),
                        error.repeatsPer10000(),
                        error.skipsPer10000(),
                        atRealSpeed ? lookBehind.summary() : null,
                        speed,
                        -1000 * lowestMetres,
                        holds),
                curves);
    }

    private long simulatedNanos() {
        return lastShownNanos - firstShownNanos;
    }

    private long realNanos() {
        return lastDisplayedNanos - firstDisplayedNanos;
    }
}
