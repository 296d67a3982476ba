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
 * @param scene   the simulation of loops whose steps are ticks
 * @param clock   the clock of the thread that draws
 * @param threads starts physics in a thread of its own
 */
record GameLoops(Case run, TickRate rate, Scene scene, WorkClock clock, Threads threads) {

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

    /** Runs ticks of constant length; a frame draws the newest state. */
    GameLoop newest(FramePolicy policy) {
        return ticked(policy, latest(AlphaRule.newest(), 1), ALL, 1);
    }

    GameLoop blended(FramePolicy policy) {
        return blended(policy, ALL, 1);
    }

    /**
     * Runs ticks of constant length; a frame blends the two newest states. A frame that has run ticks reads the clock again, because more
     * may be due by now, up to {@code maxReadings} times. After each reading it runs at most {@code maxTicks} ticks.
     */
    GameLoop blended(FramePolicy policy, int maxTicks, int maxReadings) {
        return ticked(policy, reader -> Picture.of(FrameView.inline(reader)), maxTicks, maxReadings);
    }

    GameLoop extrapolated() {
        return ticked(QUARTER_SECOND, latest(AlphaRule.extrapolated(), 2), ALL, 1);
    }

    /**
     * Runs, in each frame, the tick rate divided by the mean rate of the last frames, rounded to whole steps. This is right if all frames
     * take equally long. Otherwise the world drifts from the clock, because no frame carries its rounding error over to the next.
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
     * Charges a step with more than its length if steps cost more time than they simulate. So the world slows down, and the number of steps
     * per frame settles. Peers in a network cannot use this loop, because the speed of time depends on the machine.
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
     * Runs one tick per frame, whatever the real time. The simulated states do not depend on the length of frames, but the speed of the
     * world does. It is right if each frame takes exactly one tick's time, for example by vertical synchronization.
     */
    FramePolicy tickPerFrame() {
        return ticksPerFrame(elapsedSeconds -> 1);
    }

    /** Creates a policy from a function that says how many ticks run in a frame of a given length. */
    private FramePolicy ticksPerFrame(DoubleToLongFunction ticksOfSeconds) {
        return (releasedNanos, elapsedNanos) -> {
            long ticks = ticksOfSeconds.applyAsLong(elapsedNanos / 1e9);
            return rate().nanosAt(rate().tickAt(releasedNanos) + ticks) - releasedNanos;
        };
    }

    /** Releases whole periods of the display, in one frame at most a second divided by {@code partOfASecond}. */
    GameLoop quantised(int partOfASecond) {
        return blended(new FramePolicies.RefreshQuantised(run.refresh().display(), periodsIn(partOfASecond)));
    }

    private int periodsIn(int partOfASecond) {
        return (int) Math.round(run.refresh().display().inHertz() / partOfASecond);
    }

    /** Runs a tick per frame. The frame first waits until one tick's time has passed since the previous frame's tick began. */
    GameLoop limited() {
        GameLoop loop = newest(tickPerFrame());
        long[] earliestNanos = {clock.nanoTime()};
        return new GameLoop(loop.picture(), (beginNanos, displayNanos) -> {
            clock.spendUntil(earliestNanos[0]);
            earliestNanos[0] = clock.nanoTime() + rate().nanosAt(1);
            loop.frame().draw(beginNanos, displayNanos);
        });
    }

    /** Runs one step per frame, which simulates the time that the previous frame took. */
    GameLoop variableStep() {
        AnySteps world = new AnySteps();
        return stepped(nanos -> world.step(nanos / 1e9), world::seconds, world::ballHeight);
    }

    /**
     * Runs steps of one display period each. If a frame took more than a tenth of a second, it runs a single step for all this time
     * instead, so that the world keeps up with the clock. In such a long step, a body passes through obstacles that should have stopped it.
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
     * Counts the steps of a frame before running them, and saves only the states after the last two, which the frame blends. The states are
     * the same as with capped ticks. The loop needs a world that can be saved as a whole. A picture of the two saved states lacks the
     * events of the other steps, such as spawns and teleports.
     */
    GameLoop countedFirst() {
        AnySteps world = new AnySteps();
        FramePolicy cap = new FramePolicies.CappedTicks(rate(), MAX_TICKS);
        long[] releasedNanos = {0};
        double[][] lastTwo = {new double[2], new double[2]}; // {seconds, ball height} after each of the last two steps
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

    /** The scene for loops whose steps have any length. A step costs the time that the load sets, however much time it simulates. */
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

    /**
     * Creates a loop in which {@code rule} steps the scene. The rule receives the nanoseconds since the previous frame, 0 in the first one.
     */
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
     * Draws the state from before the due ticks while another thread runs these ticks. A frame ends when both are done, so it takes as long
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

    /** Blends by due times, delayed by a fixed time. The delay is the best one for this run, which a real program could not know. */
    GameLoop twoByDue() {
        return twoLatest(AlphaRule.byDueTime(VirtualContest.bestDelayNanos(run)));
    }

    /** Draws states from a queue. The physics thread offers each state without waiting, so a full queue drops it. */
    GameLoop queued() {
        Queue<Scene.State> queue = new ArrayBlockingQueue<>(QUEUE_CAPACITY);
        scene.afterCapture(() -> queue.offer(scene.state()));
        return states(queue::poll);
    }

    /** Copies the state under a lock that the physics thread holds during a step. A frame that begins during a step waits for its end. */
    GameLoop locked() {
        return states(scene::state);
    }

    /** Draws the next state, or the last one again if {@code next} returns null. */
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

    GameLoop service(int snapshots, double ticksAhead) {
        Interpolation how = Interpolation.DEFAULT.lookAhead(ticksAhead);
        return threads.start(this, snapshots, reader -> Picture.of(FrameView.of(reader, how)));
    }

    private Function<SnapshotReader, Picture> latest(AlphaRule rule, double maxAlpha) {
        return reader -> Picture.ofTwoLatest(reader, rule, maxAlpha);
    }
}
