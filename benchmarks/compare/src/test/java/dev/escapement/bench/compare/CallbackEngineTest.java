package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.render.FrameView;
import dev.escapement.render.gameloop.Accumulator;
import dev.escapement.render.gameloop.FrameClock;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import org.junit.jupiter.api.Test;

/** Row 6c, an engine that reports poses by callback, in steps of 0.016 s: the last two are kept, and blended when a frame asks for them. */
class CallbackEngineTest {

    private static final long QUARTER_SECOND = 250_000_000;

    private final ManualClock real = new ManualClock(-5);
    private final FrameClock clock = new FrameClock(real, new Accumulator(QUARTER_SECOND));
    private final Reporting simulation = new Reporting();
    private final InlineDriver driver = PhysicsService.builder(simulation)
            .rate(new TickRate(125, 2))
            .windowSize(2)
            .inline(clock);
    private final FrameView view = FrameView.inline(driver.newReader());

    @Test
    void shouldKeepTheLastTwoOfFifteenReportsAndBlendThemWhenAsked() {
        assertThat(frame(0)).isZero();
        assertThat(frame(QUARTER_SECOND)).isEqualTo(15);
        assertThat(simulation.reports).isEqualTo(15);
        assertThat(view.window().oldestTick()).isEqualTo(14);
        assertThat(view.window().newestTick()).isEqualTo(15);
        PoseBlock blended = view.poses().block(0);
        float drawn = blended.px[0];
        assertThat(drawn)
                .as("0.01 s of 0.016 are left: 5/8 of the way from tick 14")
                .isCloseTo(98 + 14.5f * 0.625f, within(1e-4f));

        assertThat(frame(QUARTER_SECOND)).as("0.01 s are left over").isEqualTo(16);
        assertThat(simulation.reports).isEqualTo(31);
        assertThat(blended.px[0])
                .as("not blended in the callback, nor before a frame")
                .isEqualTo(drawn);
        assertThat(view.poses().block(0)).isSameAs(blended);
        assertThat(blended.px[0]).isBetween(450f, 480.5f);
    }

    private int frame(long nanos) {
        real.advance(nanos);
        clock.beginFrame();
        int ticks = driver.runDueTicks();
        assertThat(view.advance(clock.nanoTime())).isEqualTo(clock.nanoTime() > 0);
        return ticks;
    }

    /** Takes down where the engine reports a falling body after a step, and hands on the last report. */
    private static final class Reporting implements Simulation {

        private float x;
        private int reports;

        @Override
        public void step(Tick tick) {
            x = 0.5f * tick.number() * tick.number();
            reports++;
        }

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(1);
            poses.set(0, x, 0, 0, 0, 0, 0, 1);
        }
    }
}
