package dev.escapement.bench.compare;

import dev.escapement.bench.compare.Picture.AlphaRule;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameView;
import dev.escapement.render.gameloop.Accumulator;
import dev.escapement.render.gameloop.FrameClock;
import dev.escapement.render.gameloop.FramePolicy;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.DoubleSupplier;
import java.util.function.DoubleToLongFunction;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates the loop of a contestant.
 *
 * @param run     the contestant, the load and the rates
 * @param scene   the simulation, unless steps are irregular
 * @param clock   the clock of the thread that draws
 * @param threads starts physics in its own thread
 */
record GameLoops(Case run, Scene scene, WorkClock clock, Threads threads) {

    static final FramePolicy QUARTER_SECOND = new Accumulator(250_000_000);
    static final int MAX_TICKS = 8;

    static final int ALL = Integer.MAX_VALUE;

    private static final int QUEUE_CAPACITY = 8;
    private static final int FRAMES_IN_MEAN = 10;
    private static final double USUAL_FRAMES_PER_SECOND = 60;

    @FunctionalInterface
    interface Threads {
        GameLoop start(GameLoops loops, int windowSize, Function<SnapshotReader, Picture> drawing);
    }

    TickRate rate() {
        return run.refresh().tickRate();
    }

    /** Runs constant ticks; a frame draws the last one. */
    GameLoop newest(FramePolicy policy) {
        return ticked(policy, latest(AlphaRule.newest(), 1), ALL, 1);
    }

    /** Runs constant ticks; a frame blends the last two. */
    GameLoop blended(FramePolicy policy) {
        return blended(policy, ALL, 1);
    }

    /**
     * Runs constant ticks; a frame blends the last two. It runs at most {@code maxTicks} ticks, and reads the clock up to {@code
     * maxReadings} times while more of them are due.
     */
    GameLoop blended(FramePolicy policy, int maxTicks, int maxReadings) {
        return ticked(policy, reader -> Picture.of(FrameView.inline(reader)), maxTicks, maxReadings);
    }

    GameLoop extrapolated() {
        return ticked(QUARTER_SECOND, latest(AlphaRule.extrapolated(), 2), ALL, 1);
    }

    /**
     * Runs a number of steps per frame: the simulation's rate over the mean frame rate of the last frames. This is right if all frames take
     * equally long. Otherwise the world drifts from the clock, because whole steps are rounded in every frame and nothing is carried over.
     */
    GameLoop meanFrameRate() {
        Deque<Double> recentSeconds = new ArrayDeque<>();
        return newest(ticksPerFrame(elapsedSeconds -> {
            recentSeconds.add(elapsedSeconds);
            if (recentSeconds.size() > FRAMES_IN_MEAN) {
                recentSeconds.remove();
            }
            double mean = recentSeconds.stream()
                    .mapToDouble(seconds -> seconds)
                    .average()
                    .orElseThrow();
            return Math.round(rate().inHertz() * mean);
        }));
    }

    /**
     * Charges each step with more than its length when steps cost more time than they simulate. So the world slows down, and the number of
     * steps per frame settles. The loop does not suit networks, because the speed of time depends on the machine.
     */
    GameLoop softened() {
        double stepSeconds = rate().dtSeconds();
        double[] accumulatedSeconds = {0};
        return newest(ticksPerFrame(elapsedSeconds -> {
            accumulatedSeconds[0] += elapsedSeconds;
            double costSeconds = scene.takeMeanCostSeconds();
            double charge = costSeconds < stepSeconds
                    ? stepSeconds
                    : costSeconds + USUAL_FRAMES_PER_SECOND * stepSeconds * (LoadProfile.DRAW_NANOS / 1e9);
            int steps = 0;
            while (accumulatedSeconds[0] >= charge) {
                accumulatedSeconds[0] -= charge;
                steps++;
            }
            return steps;
        }));
    }

    /**
     * Runs one tick per frame, independent of real time. The speed of simulated time depends on how long frames take; the states do not.
     * The speed is right if each frame lasts a tick, for example by the display's refresh, and none takes longer.
     */
    FramePolicy tickPerFrame() {
        return ticksPerFrame(elapsedSeconds -> 1);
    }

    /** Creates a policy that decides how many ticks run in a frame, not how much time passes. */
    private FramePolicy ticksPerFrame(DoubleToLongFunction ticksOfSeconds) {
        return (releasedNanos, elapsedNanos) -> {
            long ticks = ticksOfSeconds.applyAsLong(elapsedNanos / 1e9);
            return rate().nanosAt(rate().tickAt(releasedNanos) + ticks) - releasedNanos;
        };
    }

    /** Steps by whole periods of the display; in a frame at most a part of a second. */
    GameLoop quantised(int partOfASecond) {
        return blended(new FramePolicies.RefreshQuantised(run.refresh().display(), periodsIn(partOfASecond)));
    }

    private int periodsIn(int partOfASecond) {
        return (int) Math.round(run.refresh().display().inHertz() / partOfASecond);
    }

    /** Runs a tick per frame. The frame waits until a tick's time has passed since the previous tick began. */
    GameLoop limited() {
        GameLoop loop = newest(tickPerFrame());
        long[] earliestNanos = {clock.nanoTime()};
        return new GameLoop(loop.picture(), (beginNanos, displayNanos) -> {
            clock.spendUntil(earliestNanos[0]);
            earliestNanos[0] = clock.nanoTime() + rate().nanosAt(1);
            loop.frame().draw(beginNanos, displayNanos);
        });
    }

    /** Runs one step per frame, as long as the last frame. */
    GameLoop variableStep() {
        AnySteps world = new AnySteps();
        return stepped(nanos -> world.step(nanos / 1e9), world::seconds, world::ballHeight);
    }

    /**
     * Runs steps of whole periods of the display. Above a threshold it runs one step with all the time that passed, so that the world keeps
     * up with the clock. In a long step, a body passes through obstacles that should have stopped it.
     */
    GameLoop passingRealTime() {
        AnySteps world = new AnySteps();
        TickRate refresh = run.refresh().display();
        int maxPeriods = periodsIn(10);
        long[] elapsedNanos = {0};
        LongConsumer rule = frameNanos -> {
            long periodsDone = refresh.tickAt(elapsedNanos[0]);
            elapsedNanos[0] += frameNanos;
            long periods = refresh.tickAt(elapsedNanos[0]) - periodsDone;
            boolean isOneStep = periods > maxPeriods;
            for (long left = isOneStep ? 1 : periods; left > 0; left--) {
                world.step(isOneStep ? periods * refresh.dtSeconds() : refresh.dtSeconds());
            }
        };
        return stepped(rule, world::seconds, world::ballHeight);
    }

    /**
     * Counts the steps of a frame before it takes them, and saves the state after the last two only. A frame blends these two states. The
     * states are the same as with capped ticks. The loop needs a world that can be saved as a whole, because a picture of the saved states
     * lacks the events of other steps, such as spawns and teleports.
     */
    GameLoop countedFirst() {
        AnySteps world = new AnySteps();
        FramePolicy cap = new FramePolicies.CappedTicks(rate(), MAX_TICKS);
        long[] releasedNanos = {0};
        double[][] lastTwo = {new double[2], new double[2]}; // {time, height} before and after the last step
        LongConsumer rule = frameNanos -> {
            releasedNanos[0] += cap.release(releasedNanos[0], frameNanos);
            for (long left = rate().tickAt(releasedNanos[0]) - world.steps; left > 0; left--) {
                world.step(rate().dtSeconds());
                if (left <= 2) {
                    lastTwo[0] = lastTwo[1];
                    lastTwo[1] = new double[] {world.seconds(), world.ballHeight()};
                }
            }
        };
        IntToDoubleFunction shown = number -> {
            double stepNanos = rate().dtSeconds() * 1e9;
            double alpha = (releasedNanos[0] - rate().nanosAt(world.steps)) / stepNanos;
            return Picture.blend(lastTwo[0][number], lastTwo[1][number], alpha);
        };
        return stepped(rule, () -> shown.applyAsDouble(0), () -> shown.applyAsDouble(1));
    }

    /** The scene with steps of any length. Each step takes the time of the load, however much time it simulates. */
    private final class AnySteps {

        private double seconds;
        private long steps;

        void step(double dtSeconds) {
            steps++;
            clock.spend(run.load().costNanos(steps));
            seconds += dtSeconds;
        }

        double seconds() {
            return seconds;
        }

        double ballHeight() {
            return Scene.ballHeightAfter(seconds);
        }
    }

    /** Creates a loop whose rule steps the scene. The rule gets the nanoseconds since the previous frame, 0 in the first. */
    private GameLoop stepped(LongConsumer rule, DoubleSupplier shownSeconds, DoubleSupplier ballHeight) {
        FrameClock real = new FrameClock(clock, Accumulator.WITHOUT_LOSS);
        Picture picture = new Picture() {
            @Override
            void frame(long nowNanos, long displayNanos) {
                drawn(Math.round(1e9 * shownSeconds.getAsDouble()), ballHeight.getAsDouble());
            }
        };
        return new GameLoop(picture, (beginNanos, displayNanos) -> {
            long previousNanos = real.nanoTime();
            real.beginFrame();
            rule.accept(real.nanoTime() - previousNanos);
            picture.frame(beginNanos, displayNanos);
            clock.spend(LoadProfile.DRAW_NANOS);
        });
    }

    /** Runs constant ticks; a policy decides when they are due. */
    private GameLoop ticked(
            FramePolicy policy, Function<SnapshotReader, Picture> drawing, int maxTicks, int maxReadings) {
        FrameClock released = new FrameClock(clock, policy);
        InlineDriver driver = driver(released);
        driver.timeScale(run.contestant().timeScale());
        Picture picture = drawing.apply(driver.newReader());
        return new GameLoop(picture, (beginNanos, displayNanos) -> {
            for (int reading = 0; reading < maxReadings; reading++) {
                released.beginFrame();
                if (driver.runDueTicks(maxTicks) == 0) {
                    break;
                }
            }
            picture.frame(released.nanoTime(), released.nanoTime());
            clock.spend(LoadProfile.DRAW_NANOS);
        });
    }

    private InlineDriver driver(NanoClock released) {
        return PhysicsService.builder(scene)
                .rate(rate())
                .windowSize(2)
                .maxReaders(1)
                .inline(released);
    }

    /**
     * Draws the state before the due ticks while another thread runs the due ticks. A frame ends when both have ended, so it takes as long
     * as the longer of the two.
     */
    GameLoop besideFrames() {
        FrameClock released = new FrameClock(clock, QUARTER_SECOND);
        InlineDriver driver = driver(released);
        Picture picture = latest(AlphaRule.newest(), 1).apply(driver.newReader());
        return new GameLoop(picture, (beginNanos, displayNanos) -> {
            picture.frame(beginNanos, displayNanos);
            released.beginFrame();
            long besideNanos = clock.nanoTime();
            driver.runDueTicks();
            clock.spendUntil(besideNanos + LoadProfile.DRAW_NANOS);
        });
    }

    GameLoop twoLatest(AlphaRule rule) {
        return threads.start(this, 2, latest(rule, 1));
    }

    /** Blends by due times with the best fixed delay, which a program cannot know beforehand. */
    GameLoop twoByDue() {
        return twoLatest(AlphaRule.byDueTime(VirtualContest.bestDelayNanos(run)));
    }

    /** Draws states from a queue. The physics thread offers each state and does not wait: a full queue drops it. */
    GameLoop queued() {
        Queue<Scene.State> queue = new ArrayBlockingQueue<>(QUEUE_CAPACITY);
        scene.afterCapture(() -> queue.offer(scene.state()));
        return states(queue::poll);
    }

    /**
     * Copies the state under a lock that the physics thread also takes. A frame that begins during a step waits for the end of the step.
     */
    GameLoop locked() {
        return states(scene::state);
    }

    /** Draws each state that is handed over, and the last state again if there is no new one. */
    private GameLoop states(Supplier<Scene.@Nullable State> next) {
        Picture picture = new Picture() {
            @Override
            void frame(long nowNanos, long displayNanos) {
                Scene.State state = next.get();
                if (state != null) {
                    drawn(state.probeX(), state.tick(), rate(), state.ballHeight());
                }
            }
        };
        return threads.start(this, 2, reader -> picture);
    }

    /** Draws with the service; its windows have {@code snapshots} snapshots. */
    GameLoop service(int snapshots, double ticksAhead) {
        Interpolation how = Interpolation.DEFAULT.lookAhead(ticksAhead);
        return threads.start(this, snapshots, reader -> Picture.of(FrameView.of(reader, how)));
    }

    private Function<SnapshotReader, Picture> latest(AlphaRule rule, double maxAlpha) {
        return reader -> Picture.ofTwoLatest(reader, rule, maxAlpha);
    }
}
