package dev.escapement.bench.compare.loop;

import dev.escapement.bench.compare.contest.Contestant;
import dev.escapement.bench.compare.contest.LoadProfile;
import dev.escapement.bench.compare.contest.RefreshCase;
import dev.escapement.bench.compare.picture.SavedPicture;
import dev.escapement.bench.compare.picture.SteppedPicture;
import dev.escapement.bench.compare.scene.SteppedScene;
import dev.escapement.bench.compare.scene.TickedScene;
import dev.escapement.bench.compare.scene.WorkClock;
import dev.escapement.bench.loop.CountedFirstLoop;
import dev.escapement.bench.loop.RealTimeOverloadLoop;
import dev.escapement.bench.loop.VariableStepLoop;
import dev.escapement.physics.loop.AbsoluteTicks;
import dev.escapement.physics.loop.Accumulator;
import dev.escapement.physics.loop.CappedTicks;
import dev.escapement.physics.loop.FrameLocked;
import dev.escapement.physics.loop.FramePolicy;
import dev.escapement.physics.loop.RefreshQuantised;
import dev.escapement.state.time.TickRate;

/** The loops of the contestants that step in the thread that draws. */
public final class GameLoops {

    private static final FramePolicy QUARTER_SECOND = new Accumulator(250_000_000);
    private static final int MOST_TICKS = 8;
    private static final int MOST_READINGS = 4;

    private final TickedScene scene;
    private final SteppedScene steppedScene;
    private final TickRate rate;
    private final TickRate display;
    private final WorkClock clock;

    private GameLoops(TickedScene scene, LoadProfile load, RefreshCase refresh, WorkClock clock) {
        this.scene = scene;
        steppedScene = new SteppedScene(load, clock);
        rate = refresh.tickRate();
        display = refresh.display();
        this.clock = clock;
    }

    /**
     * A loop that has run nothing.
     *
     * @throws IllegalArgumentException if the contestant's steps run in another thread
     */
    public static GameLoop create(Contestant contestant, LoadProfile load, RefreshCase refresh, WorkClock clock) {
        return create(contestant, new TickedScene(load, clock), load, refresh, clock);
    }

    /**
     * A loop that has run nothing, over a scene of one's own; loops with irregular steps have one of theirs.
     *
     * @throws IllegalArgumentException if the contestant's steps run in another thread
     */
    public static GameLoop create(
            Contestant contestant, TickedScene scene, LoadProfile load, RefreshCase refresh, WorkClock clock) {
        return new GameLoops(scene, load, refresh, clock).create(contestant);
    }

    private GameLoop create(Contestant contestant) {
        return switch (contestant) {
            case FRAME_LOCKED -> ticked(LoopRule.newest(new FrameLocked(rate)));
            case FRAME_LIMITER -> new FrameLimiter(ticked(LoopRule.newest(new FrameLocked(rate))), clock, rate);
            case VARIABLE_STEP -> variableStep();
            case CAPPED_TICKS -> ticked(LoopRule.newest(new CappedTicks(rate, MOST_TICKS)));
            case COUNTED_FIRST -> countedFirst();
            case ABSOLUTE_TIME ->
                ticked(LoopRule.blended(new AbsoluteTicks(rate, MOST_TICKS)).mostTicks(MOST_TICKS));
            case REFRESH_QUANTISED -> ticked(LoopRule.blended(new RefreshQuantised(display, periodsIn(15))));
            case LIE_ABOUT_TIME -> ticked(LoopRule.blended(new RefreshQuantised(display, periodsIn(10))));
            case PASS_REAL_TIME -> passRealTime();
            case ACCUMULATOR, CALLBACK_ENGINE -> ticked(LoopRule.blended(QUARTER_SECOND));
            case MEAN_FRAME_RATE -> ticked(LoopRule.newest(TicksPerFrame.byMeanFrameRate(rate)));
            case TIME_READ_AGAIN -> ticked(LoopRule.blended(QUARTER_SECOND).mostReadings(MOST_READINGS));
            case NEXT_TICK -> ticked(LoopRule.newest(Accumulator.WITHOUT_LOSS));
            case SOFTENED -> ticked(LoopRule.newest(TicksPerFrame.softened(rate, scene)));
            case EXTRAPOLATION -> ticked(LoopRule.extrapolated(QUARTER_SECOND));
            case SLOW_MOTION -> ticked(LoopRule.blended(QUARTER_SECOND).scale(contestant.timeScale()));
            default ->
                throw new IllegalArgumentException(
                        contestant + " is no loop of one thread; its steps run in " + contestant.place());
        };
    }

    private GameLoop ticked(LoopRule rule) {
        return new TickedLoop(scene, rate, clock, rule);
    }

    private GameLoop variableStep() {
        VariableStepLoop loop = new VariableStepLoop(steppedScene);
        return new SteppedLoop(new SteppedPicture(steppedScene), clock, elapsedNanos -> loop.frame(elapsedNanos / 1e9));
    }

    private GameLoop countedFirst() {
        CountedFirstLoop loop = new CountedFirstLoop(steppedScene, SteppedScene.NUMBERS, rate, MOST_TICKS);
        return new SteppedLoop(new SavedPicture(loop), clock, loop::frame);
    }

    private GameLoop passRealTime() {
        RealTimeOverloadLoop loop = new RealTimeOverloadLoop(steppedScene, display, periodsIn(10));
        return new SteppedLoop(new SteppedPicture(steppedScene), clock, loop::frame);
    }

    /** How many periods of the display there are in a part of a second. */
    private int periodsIn(int partOfASecond) {
        return (int) Math.round(display.inHertz() / partOfASecond);
    }
}
