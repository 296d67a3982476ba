package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.loop.Accumulator;
import dev.escapement.physics.loop.FrameClock;
import dev.escapement.render.FrameView;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import org.junit.jupiter.api.Test;

/** An engine that reports poses by callback, in steps of 0.016 s: the last two are kept, and blended when a frame asks for them. */
class CallbackEngineTest {

    private static final TickRate RATE = new TickRate(125, 2);
    private static final long QUARTER_SECOND = 250_000_000;

    private final ManualClock real = new ManualClock(-5);
    private final FrameClock clock = new FrameClock(real, new Accumulator(QUARTER_SECOND));
    private final Reporting simulation = new Reporting();
    private final InlineDriver driver =
            PhysicsService.builder(simulation).rate(RATE).windowSize(2).inline(clock);
    private final FrameView view = FrameView.inline(driver.newReader());

    @Test
    void shouldKeepTheLastTwoOfFifteenReportsAndBlendThemWhenAsked() {
        assertThat(frame(0)).isZero();
        assertThat(frame(QUARTER_SECOND)).isEqualTo(15);
        assertThat(simulation.reports).isEqualTo(15);
        assertThat(view.window().size()).isEqualTo(2);
        assertThat(view.window().oldestTick()).isEqualTo(14);
        assertThat(view.window().snapshot(0).poses().block(0).px[0]).isEqualTo(Engine.at(14));
        assertThat(view.window().snapshot(1).poses().block(0).px[0]).isEqualTo(Engine.at(15));
        float drawn = view.poses().block(0).px[0];
        assertThat(drawn)
                .as("0.01 s of 0.016 are left: 5/8 of the way")
                .isCloseTo(Engine.at(14) + (Engine.at(15) - Engine.at(14)) * 0.625f, within(1e-4f));

        PoseBlock blended = view.poses().block(0);
        assertThat(frame(QUARTER_SECOND)).as("0.01 s are left over").isEqualTo(16);
        assertThat(simulation.reports).isEqualTo(31);
        assertThat(blended.px[0])
                .as("not blended in the callback, nor before it is asked for")
                .isEqualTo(drawn);
        assertThat(view.poses().block(0)).isSameAs(blended);
        assertThat(blended.px[0]).isBetween(Engine.at(30), Engine.at(31));
    }

    private int frame(long nanos) {
        real.advance(nanos);
        clock.beginFrame();
        int ticks = driver.runDueTicks();
        assertThat(view.advance(clock.nanoTime())).isEqualTo(clock.nanoTime() > 0);
        return ticks;
    }

    /** Who is told where the body is after a step. */
    @FunctionalInterface
    private interface PoseListener {
        void moved(float x);
    }

    /** What some engines look like: a body falls, and they say so. */
    private record Engine(PoseListener listener) {

        void step(long number) {
            listener.moved(at(number));
        }

        static float at(long step) {
            return 0.5f * step * step;
        }
    }

    /** Takes the reports down, and hands on the last one. */
    private static final class Reporting implements Simulation {

        private final Engine engine = new Engine(this::report);
        private float x;
        private int reports;

        @Override
        public void step(Tick tick) {
            assertThat(tick.dtSeconds()).isEqualTo(0.016);
            engine.step(tick.number());
        }

        private void report(float newX) {
            x = newX;
            reports++;
        }

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(1);
            poses.set(0, x, 0, 0, 0, 0, 0, 1);
        }
    }
}
