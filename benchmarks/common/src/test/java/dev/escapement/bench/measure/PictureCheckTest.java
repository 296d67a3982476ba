package dev.escapement.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameView;
import dev.escapement.render.clock.AnimationError;
import dev.escapement.render.clock.RenderClock;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults planted into what is drawn, or into what the clock says of it: each must be found, and nothing where there is none. */
class PictureCheckTest {

    private static final int BODIES = 3;
    private static final TickRate FPS = TickRate.hertz(144);
    private static final long MILLI = 1_000_000;

    private final ManualClock now = new ManualClock(0);
    private final Metronome metronome = new Metronome(10);
    private final InlineDriver driver = newDriver();
    private final InlineDriver neverLateDriver = newDriver();
    private final FrameView view = FrameView.of(driver.newReader());
    private final FrameView neverLate = FrameView.of(neverLateDriver.newReader());
    private final PictureCheck check = new PictureCheck();
    private final AnimationError error = new AnimationError("slot");

    @Test
    void shouldFindNothingWhereNothingIsWrong() {
        draw(0, false, view.clock());
        assertThat(view.clock().holds()).as("counted").isPositive();
        assertThat(check.misplacedFrames()).isZero();
        assertThat(check.uncountedRepeats()).isZero();
    }

    @Test
    void shouldFindAReversedAlpha() {
        draw(0, true, view.clock());
        assertThat(check.misplacedFrames()).isPositive();
    }

    /** It has no animation error beyond the one of the stall, which is why there is this check. */
    @Test
    void shouldFindAClockThatIsOneTickOff() {
        draw(-1, false, view.clock());
        assertThat(error.percentileNanos(90)).isLessThan(20_000);
        assertThat(check.misplacedFrames()).isPositive();
    }

    @Test
    void shouldFindAHoldThatIsNotCounted() {
        draw(0, false, neverLate.clock());
        assertThat(neverLate.clock().holds()).isZero();
        assertThat(check.uncountedRepeats()).isPositive();
    }

    /**
     * Both threads stall, the frame's also between asking for the time and taking its window. A frame that was clamped, and so shows more
     * than was due, may then be followed by one at which just that is due: these seeds have one.
     */
    @ParameterizedTest
    @ValueSource(ints = {601, 1570, 1916})
    void shouldFindNothingWhereBothThreadsStall(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        InlineDriver world = PhysicsService.builder(
                        new MeasuredSimulation(new SpringSimulation(BODIES), BODIES, metronome, new TickRecorder(0)))
                .inline(now);
        FrameView drawn = FrameView.of(world.newReader());
        long awakeNanos = 0;
        for (long nanos = 0; nanos < 500 * MILLI; nanos += FPS.nanosAt(1) + stallNanos(random)) {
            long acquiredNanos = nanos + stallNanos(random);
            while (now.nanoTime() < acquiredNanos) {
                now.advance(MILLI);
                if (now.nanoTime() >= awakeNanos) {
                    world.runDueTicks();
                    awakeNanos = now.nanoTime() + stallNanos(random);
                }
            }
            if (drawn.advance(nanos)) {
                long drawnNanos = drawnSimNanos(drawn.interpolator(), drawn);
                check.frame(drawnNanos, drawn.clock(), drawn.window().timeline(), nanos);
            }
        }
        assertThat(drawn.clock().clamps()).as("counted").isPositive();
        assertThat(check.misplacedFrames()).isZero();
        assertThat(check.uncountedRepeats()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLetAPictureWaitForATimeThatWasGivenUpBeforeIt(boolean givenUp) {
        RenderClock untold = new RenderClock();
        Timeline timeline = new Timeline(TickRate.hertz(100));
        timeline.start(0);
        check.frame(0, untold, timeline, 10 * MILLI);
        if (givenUp) {
            timeline.giveUp(0, 1);
        }
        check.frame(0, untold, timeline, 16 * MILLI);
        assertThat(check.uncountedRepeats()).isEqualTo(givenUp ? 0 : 1);
    }

    private static long stallNanos(SplittableRandom random) {
        return random.nextInt(10) == 0 ? random.nextLong(60 * MILLI) : random.nextLong(MILLI);
    }

    private InlineDriver newDriver() {
        return PhysicsService.builder(
                        new MeasuredSimulation(new SpringSimulation(BODIES), BODIES, metronome, new TickRecorder(0)))
                .windowSize(5) // so that there is a tick before the one shown
                .inline(now);
    }

    /** Frames of 20 s, the physics thread asleep for 50 ms of them. */
    private void draw(int ticksOff, boolean reversedAlpha, RenderClock clock) {
        Interpolator planted = new Interpolator(Interpolation.DEFAULT);
        for (long frame = 1; frame < 20 * 144; frame++) {
            long nanos = FPS.nanosAt(frame);
            now.advance(nanos - now.nanoTime());
            boolean asleep = nanos > 15_000 * MILLI && nanos < 15_050 * MILLI;
            if (!asleep) {
                driver.runDueTicks();
            }
            neverLateDriver.runDueTicks();
            boolean shown = view.advance(nanos);
            if (shown && neverLate.advance(nanos)) {
                int index = (int) (view.shownTick() - view.window().oldestTick());
                int from = Math.max(0, index + ticksOff);
                float alpha = reversedAlpha ? 1 - view.alpha() : view.alpha();
                planted.show(view.window().snapshot(from), view.window().snapshot(from + 1), alpha, 0.01);
                long drawn = drawnSimNanos(planted, view);
                check.frame(drawn, clock, view.window().timeline(), nanos);
                error.frame(drawn, view.window().timeline(), nanos);
            }
        }
    }

    private long drawnSimNanos(Interpolator drawn, FrameView clocked) {
        float x = drawn.block(0).px[BODIES & PoseBlock.MASK];
        return metronome.simNanos(
                x, clocked.shownTick(), clocked.window().timeline().rate());
    }
}
