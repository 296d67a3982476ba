package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.loop.AbsoluteTicks;
import dev.escapement.physics.loop.Accumulator;
import dev.escapement.physics.loop.FrameClock;
import dev.escapement.physics.loop.FramePolicy;
import dev.escapement.physics.loop.RefreshQuantised;
import dev.escapement.render.FrameView;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;

/** What the loops of the literature draw: a body that moves at 100 units a second, on a manual clock. */
class LoopPicturesTest {

    private static final long MILLI = 1_000_000;
    private static final float SPEED = 100;
    private static final TickRate SIXTY = TickRate.hertz(60);

    private final ManualClock real = new ManualClock(-17);

    /** 55 frames a second of 60 ticks: every eleventh frame has two ticks, which is what stutters. */
    @Test
    void shouldMoveEvenlyAtFiftyFiveWhereTheLatestStateStutters() {
        Pictures pictures = new Pictures(SIXTY, new Accumulator(250 * MILLI));
        pictures.frames(TickRate.hertz(55), 100);
        float even = SPEED / 55;
        float tick = SPEED / 60;
        for (int frame = 20; frame < 100; frame++) {
            float drawn = pictures.drawn.get(frame) - pictures.drawn.get(frame - 1);
            assertThat(drawn).as("drawn in frame %s", frame).isCloseTo(even, within(1e-3f));
            float latest = pictures.latest.get(frame) - pictures.latest.get(frame - 1);
            assertThat(Math.round(latest / tick)).as("the latest state").isEqualTo(pictures.steps.get(frame));
            assertThat(latest).isCloseTo(tick * pictures.steps.get(frame), within(1e-3f));
        }
        assertThat(pictures.steps).contains(2);
    }

    /** Blending must go from the previous state to the current one: with alpha reversed, the picture would run back. */
    @Test
    void shouldNeverMoveBackAndStayWithinTheLastTwoStates() {
        Pictures pictures = new Pictures(TickRate.hertz(100), new Accumulator(250 * MILLI));
        pictures.frames(TickRate.hertz(240), 200);
        for (int frame = 10; frame < 200; frame++) {
            assertThat(pictures.drawn.get(frame)).isGreaterThan(pictures.drawn.get(frame - 1));
            assertThat(pictures.latest.get(frame) - pictures.drawn.get(frame)).isBetween(-1e-4f, SPEED / 100 + 1e-4f);
        }
    }

    @Test
    void shouldStandAtTheLastStateAfterAnOverload() {
        Pictures pictures = new Pictures(TickRate.hertz(20), new AbsoluteTicks(TickRate.hertz(20), 5), 5);
        pictures.frame(0);
        pictures.frame(100 * MILLI);
        pictures.frame(1000 * MILLI);
        int last = pictures.drawn.size() - 1;
        assertThat(pictures.steps.get(last)).isEqualTo(5);
        assertThat(pictures.drawn.get(last)).as("a blend of 1").isEqualTo(pictures.latest.get(last));
        assertThat(pictures.view.clock().holds()).as("and not more").isZero();
    }

    /** The dot of the page on refresh-quantised loops: 0, 0, 1.67, 3.33, 3.33, 5.00, 6.67, one tick of one refresh behind. */
    @Test
    void shouldShowTheDotAtWholePeriods() {
        Pictures pictures = new Pictures(SIXTY, new RefreshQuantised(SIXTY, 4));
        pictures.frame(0);
        pictures.frame(33_333_334); // two periods first, so that there is a window
        float start = pictures.drawn.get(1);
        long[] sampledNanos = {0, 10 * MILLI, 21 * MILLI, 33_333_334, 43 * MILLI, 54 * MILLI, 66_666_667};
        List<Float> dot = new ArrayList<>(List.of(0f));
        for (int i = 1; i < sampledNanos.length; i++) {
            pictures.frame(sampledNanos[i] - sampledNanos[i - 1]);
            dot.add(pictures.drawn.get(pictures.drawn.size() - 1) - start);
        }
        float[] expected = {0, 0, 1.6667f, 3.3333f, 3.3333f, 5, 6.6667f};
        for (int i = 0; i < expected.length; i++) {
            assertThat(dot.get(i)).as("sample %s", i).isCloseTo(expected[i], within(1e-3f));
        }
    }

    /** A driver and a view in one loop, and what each frame drew. */
    private final class Pictures {

        private final FrameClock clock;
        private final InlineDriver driver;
        private final FrameView view;
        private final int mostTicks;
        private final List<Integer> steps = new ArrayList<>();
        private final List<Float> drawn = new ArrayList<>();
        private final List<Float> latest = new ArrayList<>();
        private final Vector3f position = new Vector3f();

        Pictures(TickRate rate, FramePolicy policy) {
            this(rate, policy, Integer.MAX_VALUE);
        }

        Pictures(TickRate rate, FramePolicy policy, int mostTicks) {
            this.mostTicks = mostTicks;
            clock = new FrameClock(real, policy);
            driver = PhysicsService.builder(new Moving())
                    .rate(rate)
                    .windowSize(2)
                    .inline(clock);
            view = FrameView.inline(driver.newReader());
        }

        void frames(TickRate framesPerSecond, int count) {
            for (int frame = 0; frame < count; frame++) {
                frame(frame == 0 ? 0 : framesPerSecond.nanosAt(frame) - framesPerSecond.nanosAt(frame - 1));
            }
        }

        void frame(long nanos) {
            real.advance(nanos);
            clock.beginFrame();
            steps.add(driver.runDueTicks(mostTicks));
            boolean shown = view.advance(clock.nanoTime());
            drawn.add(shown ? view.positionOfSlot(0, position).x : 0);
            latest.add(shown ? view.window().newest().poses().block(0).px[0] : 0);
        }
    }

    private static final class Moving implements Simulation {

        private long ticks;
        private double dtSeconds;

        @Override
        public void step(Tick tick) {
            ticks = tick.number();
            dtSeconds = tick.dtSeconds();
        }

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(1);
            poses.set(0, (float) (SPEED * ticks * dtSeconds), 0, 0, 0, 0, 0, 1);
        }
    }
}
