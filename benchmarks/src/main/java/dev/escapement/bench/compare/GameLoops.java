package dev.escapement.bench.compare;

import dev.escapement.bench.compare.TickedLoop.Drawing;
import dev.escapement.physics.loop.AbsoluteTicks;
import dev.escapement.physics.loop.Accumulator;
import dev.escapement.physics.loop.CappedTicks;
import dev.escapement.physics.loop.FrameLocked;
import dev.escapement.physics.loop.FramePolicy;
import dev.escapement.physics.loop.RefreshQuantised;
import dev.escapement.state.time.TickRate;
import java.util.function.DoubleToLongFunction;
import java.util.function.LongConsumer;

/** The loops of the contestants that step in the thread that draws. */
final class GameLoops {

    private static final FramePolicy QUARTER_SECOND = new Accumulator(250_000_000);
    private static final int MOST_TICKS = 8;
    private static final int MOST_READINGS = 4;
    private static final int FRAMES_IN_MEAN = 10;

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
     * A loop that has run nothing over a scene; loops with irregular steps have one of theirs.
     *
     * @throws IllegalArgumentException if the contestant's steps run in another thread
     */
    static GameLoop create(
            Contestant contestant, TickedScene scene, LoadProfile load, RefreshCase refresh, WorkClock clock) {
        return new GameLoops(scene, load, refresh, clock).create(contestant);
    }

    private GameLoop create(Contestant contestant) {
        return switch (contestant) {
            case FRAME_LOCKED -> newest(new FrameLocked(rate));
            case FRAME_LIMITER -> new Limited(newest(new FrameLocked(rate)), clock, rate);
            case VARIABLE_STEP ->
                new Stepped(scenePicture(), clock, elapsedNanos -> steppedScene.accept(elapsedNanos / 1e9));
            case CAPPED_TICKS -> newest(new CappedTicks(rate, MOST_TICKS));
            case COUNTED_FIRST -> countedFirst();
            case ABSOLUTE_TIME -> blended(new AbsoluteTicks(rate, MOST_TICKS)).mostTicks(MOST_TICKS);
            case REFRESH_QUANTISED -> blended(new RefreshQuantised(display, periodsIn(15)));
            case LIE_ABOUT_TIME -> blended(new RefreshQuantised(display, periodsIn(10)));
            case PASS_REAL_TIME -> passRealTime();
            case ACCUMULATOR, CALLBACK_ENGINE -> blended(QUARTER_SECOND);
            case MEAN_FRAME_RATE -> newest(byMeanFrameRate());
            case TIME_READ_AGAIN -> blended(QUARTER_SECOND).mostReadings(MOST_READINGS);
            case NEXT_TICK -> newest(Accumulator.WITHOUT_LOSS);
            case SOFTENED -> newest(softened());
            case EXTRAPOLATION -> new TickedLoop(scene, rate, clock, QUARTER_SECOND, Drawing.EXTRAPOLATED);
            case SLOW_MOTION -> blended(QUARTER_SECOND).scale(contestant.timeScale());
            default ->
                throw new IllegalArgumentException(
                        contestant + " is no loop of one thread; its steps run in " + contestant.place());
        };
    }

    private TickedLoop newest(FramePolicy policy) {
        return new TickedLoop(scene, rate, clock, policy, Drawing.NEWEST);
    }

    private TickedLoop blended(FramePolicy policy) {
        return new TickedLoop(scene, rate, clock, policy, Drawing.BLENDED);
    }

    private GameLoop countedFirst() {
        CountedFirstLoop loop = new CountedFirstLoop(steppedScene, SteppedScene.NUMBERS, rate, MOST_TICKS);
        Picture picture = Picture.of(() -> SteppedScene.simNanos(saved(loop, 0)), () -> saved(loop, 1));
        return new Stepped(picture, clock, loop::frame);
    }

    private static double saved(CountedFirstLoop loop, int number) {
        return Picture.blend(loop.previous()[number], loop.current()[number], loop.alpha());
    }

    private GameLoop passRealTime() {
        IrregularLoops.RealTimeOverload loop =
                new IrregularLoops.RealTimeOverload(steppedScene, display, periodsIn(10));
        return new Stepped(scenePicture(), clock, loop::frame);
    }

    private Picture scenePicture() {
        return Picture.of(steppedScene::simNanos, steppedScene::ballHeight);
    }

    /** As many ticks as the mean frame rate makes of the tick rate. */
    private FramePolicy byMeanFrameRate() {
        return ticksPerFrame(new IrregularLoops.MeanFrameRate(rate.inHertz(), FRAMES_IN_MEAN)::frame);
    }

    /** As many ticks as are due, fewer where they take too long. */
    private FramePolicy softened() {
        IrregularLoops.SoftenedOverload loop = new IrregularLoops.SoftenedOverload(rate.dtSeconds(), true);
        return ticksPerFrame(elapsedSeconds ->
                loop.frame(elapsedSeconds, LoadProfile.DRAW_NANOS / 1e9, scene.takeMeanCostSeconds()));
    }

    /** A policy that does not say how much time passes in a frame, but how many ticks run. */
    private FramePolicy ticksPerFrame(DoubleToLongFunction ticksOfSeconds) {
        return (releasedNanos, elapsedNanos) -> {
            long ticks = ticksOfSeconds.applyAsLong(elapsedNanos / 1e9);
            return rate.nanosAt(rate.tickAt(releasedNanos) + ticks) - releasedNanos;
        };
    }

    /** How many periods of the display there are in a part of a second. */
    private int periodsIn(int partOfASecond) {
        return (int) Math.round(display.inHertz() / partOfASecond);
    }

    /** A loop whose frames wait until a tick's time has passed since the one before began. */
    private static final class Limited implements GameLoop {

        private final GameLoop loop;
        private final WorkClock clock;
        private final long periodNanos;
        private long previousNanos;
        private boolean started;

        Limited(GameLoop loop, WorkClock clock, TickRate rate) {
            this.loop = loop;
            this.clock = clock;
            periodNanos = rate.nanosAt(1);
        }

        @Override
        public void frame() {
            if (started) {
                clock.spend(Math.max(0, previousNanos + periodNanos - clock.nanoTime()));
            }
            started = true;
            previousNanos = clock.nanoTime();
            loop.frame();
        }

        @Override
        public Picture picture() {
            return loop.picture();
        }
    }

    /** A loop whose steps are as long as a rule makes them of the time that a frame took. */
    private static final class Stepped implements GameLoop {

        private final WorkClock clock;
        private final LongConsumer rule;
        private final Picture picture;
        private long previousNanos;
        private boolean started;

        /** A loop that hands this rule, which steps the scene, the nanoseconds since the frame before. */
        Stepped(Picture picture, WorkClock clock, LongConsumer rule) {
            this.clock = clock;
            this.rule = rule;
            this.picture = picture;
        }

        @Override
        public void frame() {
            long nowNanos = clock.nanoTime();
            rule.accept(started ? nowNanos - previousNanos : 0); // not the time since start-up
            started = true;
            previousNanos = nowNanos;
            picture.frame(nowNanos, nowNanos);
            clock.spend(LoadProfile.DRAW_NANOS);
        }

        @Override
        public Picture picture() {
            return picture;
        }
    }
}
