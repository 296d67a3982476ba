package dev.escapement.bench.compare;

import dev.escapement.bench.compare.TwoLatestPicture.AlphaRule;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.loop.AbsoluteTicks;
import dev.escapement.physics.loop.Accumulator;
import dev.escapement.physics.loop.CappedTicks;
import dev.escapement.physics.loop.FrameClock;
import dev.escapement.physics.loop.FrameLocked;
import dev.escapement.physics.loop.FramePolicy;
import dev.escapement.physics.loop.RefreshQuantised;
import dev.escapement.render.FrameView;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.DoubleToLongFunction;
import java.util.function.Function;
import java.util.function.LongConsumer;

/** The loops of the contestants whose steps frames wait for: in the thread that draws, or beside it. */
final class GameLoops {

    private static final FramePolicy QUARTER_SECOND = new Accumulator(250_000_000);
    private static final int MOST_TICKS = 8;
    private static final int MOST_READINGS = 4;
    private static final int FRAMES_IN_MEAN = 10;

    private final Contestant contestant;
    private final TickedScene scene;
    private final SteppedScene steppedScene;
    private final TickRate rate;
    private final TickRate display;
    private final WorkClock clock;

    private GameLoops(
            Contestant contestant, TickedScene scene, LoadProfile load, RefreshCase refresh, WorkClock clock) {
        this.contestant = contestant;
        this.scene = scene;
        steppedScene = new SteppedScene(load, clock);
        rate = refresh.tickRate();
        display = refresh.display();
        this.clock = clock;
    }

    /**
     * A loop of one thread that has run nothing over a scene; loops with irregular steps have one of theirs.
     *
     * @throws IllegalArgumentException if the contestant's steps run in another thread
     */
    static GameLoop create(
            Contestant contestant, TickedScene scene, LoadProfile load, RefreshCase refresh, WorkClock clock) {
        return new GameLoops(contestant, scene, load, refresh, clock).create();
    }

    /**
     * A loop whose frames draw the state before the ticks that are due while another thread runs those, and are over when both are. On a
     * virtual clock, with an executor that runs them at once, both take as long as the longer of the two.
     *
     * @param physics runs the ticks
     */
    static GameLoop beside(TickedScene scene, TickRate rate, WorkClock clock, Executor physics) {
        FrameClock released = new FrameClock(clock, QUARTER_SECOND);
        InlineDriver driver = driver(scene, rate, released);
        Picture picture = new TwoLatestPicture(driver.newReader(), scene, AlphaRule.newest(), 1);
        Runnable frame = () -> {
            long beginNanos = clock.nanoTime();
            picture.frame(beginNanos, beginNanos);
            released.beginFrame();
            long besideNanos = clock.nanoTime();
            CompletableFuture<Void> ticks = CompletableFuture.runAsync(driver::runDueTicks, physics);
            clock.spendBeside(besideNanos, LoadProfile.DRAW_NANOS);
            ticks.join();
        };
        // The driver is closed in the thread that ran the ticks.
        return new GameLoop(
                picture,
                frame,
                () -> CompletableFuture.runAsync(driver::close, physics).join());
    }

    private GameLoop create() {
        return switch (contestant) {
            case FRAME_LOCKED -> newest(new FrameLocked(rate));
            case FRAME_LIMITER -> limited(newest(new FrameLocked(rate)));
            case VARIABLE_STEP -> stepped(scenePicture(), nanos -> steppedScene.step(nanos / 1e9));
            case CAPPED_TICKS -> newest(new CappedTicks(rate, MOST_TICKS));
            case COUNTED_FIRST -> countedFirst();
            case ABSOLUTE_TIME -> ticked(new AbsoluteTicks(rate, MOST_TICKS), this::blended, MOST_TICKS, 1);
            case REFRESH_QUANTISED -> blended(new RefreshQuantised(display, periodsIn(15)));
            case LIE_ABOUT_TIME -> blended(new RefreshQuantised(display, periodsIn(10)));
            case PASS_REAL_TIME ->
                stepped(
                        scenePicture(),
                        new IrregularLoops.RealTimeOverload(steppedScene::step, display, periodsIn(10))::frame);
            case ACCUMULATOR, CALLBACK_ENGINE, SLOW_MOTION -> blended(QUARTER_SECOND);
            case MEAN_FRAME_RATE ->
                // As many ticks as the mean frame rate makes of the tick rate.
                newest(ticksPerFrame(new IrregularLoops.MeanFrameRate(rate.inHertz(), FRAMES_IN_MEAN)::frame));
            case TIME_READ_AGAIN -> ticked(QUARTER_SECOND, this::blended, Integer.MAX_VALUE, MOST_READINGS);
            case NEXT_TICK -> newest(Accumulator.WITHOUT_LOSS);
            case SOFTENED -> newest(softened());
            case EXTRAPOLATION ->
                ticked(
                        QUARTER_SECOND,
                        reader -> new TwoLatestPicture(reader, scene, AlphaRule.extrapolated(), 2),
                        Integer.MAX_VALUE,
                        1);
            default ->
                throw new IllegalArgumentException(
                        contestant + " is no loop of one thread; its steps run in " + contestant.place());
        };
    }

    /** Constant ticks, of which a frame draws the last. */
    private GameLoop newest(FramePolicy policy) {
        return ticked(
                policy, reader -> new TwoLatestPicture(reader, scene, AlphaRule.newest(), 1), Integer.MAX_VALUE, 1);
    }

    /** Constant ticks, of which a frame blends the last two. */
    private GameLoop blended(FramePolicy policy) {
        return ticked(policy, this::blended, Integer.MAX_VALUE, 1);
    }

    private Picture blended(SnapshotReader reader) {
        return Picture.of(FrameView.inline(reader), scene);
    }

    /**
     * Constant ticks that a policy makes due.
     *
     * @param mostTicks    a frame runs no more
     * @param mostReadings so often a frame reads the clock while it finds more ticks due
     */
    private GameLoop ticked(
            FramePolicy policy, Function<SnapshotReader, Picture> drawing, int mostTicks, int mostReadings) {
        FrameClock released = new FrameClock(clock, policy);
        InlineDriver driver = driver(scene, rate, released);
        driver.timeScale(contestant.timeScale());
        Picture picture = drawing.apply(driver.newReader());
        return loop(picture, () -> {
            for (int reading = 0; reading < mostReadings; reading++) {
                released.beginFrame();
                if (driver.runDueTicks(mostTicks) == 0) {
                    break;
                }
            }
            picture.frame(released.nanoTime(), released.nanoTime());
            clock.spend(LoadProfile.DRAW_NANOS);
        });
    }

    private static InlineDriver driver(TickedScene scene, TickRate rate, NanoClock released) {
        return PhysicsService.builder(scene)
                .rate(rate)
                .windowSize(2)
                .maxReaders(1)
                .inline(released);
    }

    private GameLoop loop(Picture picture, Runnable frame) {
        return new GameLoop(picture, frame, scene::close);
    }

    /** Steps as long as a rule makes them of the nanoseconds since the frame before, 0 in the first. */
    private GameLoop stepped(Picture picture, LongConsumer rule) {
        FrameClock real = new FrameClock(clock, Accumulator.WITHOUT_LOSS);
        return loop(picture, () -> {
            long previousNanos = real.nanoTime();
            real.beginFrame();
            rule.accept(real.nanoTime() - previousNanos);
            picture.frame(real.nanoTime(), real.nanoTime());
            clock.spend(LoadProfile.DRAW_NANOS);
        });
    }

    /** A loop whose frames wait until a tick's time has passed since the one before began. */
    private GameLoop limited(GameLoop loop) {
        long[] earliestNanos = {clock.nanoTime()};
        return loop(loop.picture(), () -> {
            clock.spend(Math.max(0, earliestNanos[0] - clock.nanoTime()));
            earliestNanos[0] = clock.nanoTime() + rate.nanosAt(1);
            loop.frame();
        });
    }

    private GameLoop countedFirst() {
        CountedFirstLoop loop = new CountedFirstLoop(steppedScene::step, steppedScene::saveTo, 2, rate, MOST_TICKS);
        Picture picture = Picture.of(() -> SteppedScene.simNanos(loop.shown(0)), () -> loop.shown(1));
        return stepped(picture, loop::frame);
    }

    private Picture scenePicture() {
        return Picture.of(steppedScene::simNanos, steppedScene::ballHeight);
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
}
