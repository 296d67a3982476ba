package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.render.gameloop.Accumulator;
import dev.escapement.render.gameloop.FrameClock;
import dev.escapement.render.gameloop.FramePolicy;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import org.junit.jupiter.api.Test;

/** The accumulator of the literature, on a manual clock. */
class LoopsTest {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final TickRate HUNDRED = TickRate.hertz(100);

    private final ManualClock real = new ManualClock(Long.MAX_VALUE - 5 * SECOND); // wraps within the test

    @Test
    void shouldLoseNothingInLockstep() {
        TickRate rate = TickRate.hertz(120);
        Loop loop = new Loop(rate, Accumulator.WITHOUT_LOSS);
        loop.frame(0);
        real.advance(600 * SECOND);
        loop.clock.beginFrame();
        assertThat(loop.driver.runDueTicks(Integer.MAX_VALUE)).isEqualTo(72_000);
    }

    @Test
    void shouldAccumulate() {
        Loop twoHundred = new Loop(HUNDRED, new Accumulator(250 * MILLI));
        twoHundred.frame(0);
        for (int i = 0; i < 20; i++) {
            assertThat(twoHundred.frame(5 * MILLI)).isEqualTo(i % 2);
        }
        Loop fifty = new Loop(HUNDRED, new Accumulator(250 * MILLI));
        fifty.frame(0);
        for (int i = 0; i < 20; i++) {
            assertThat(fifty.frame(20 * MILLI)).isEqualTo(2);
        }
        assertThat(fifty.frame(600 * SECOND)).as("ten minutes away").isEqualTo(25);
    }

    @Test
    void shouldRefuseWhatCannotBe() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Accumulator(0))
                .withMessageContaining("maxNanos is 0");
        long[] instant = {5};
        FrameClock clock = new FrameClock(() -> instant[0], new Accumulator(10));
        clock.beginFrame();
        instant[0] = 2;
        assertThatIllegalStateException()
                .isThrownBy(clock::beginFrame)
                .withMessage("the clock went backwards by 3 ns between two frames");
    }

    /** A driver on a frame clock; frames take what the test says. */
    private final class Loop {

        private final FrameClock clock;
        private final InlineDriver driver;

        Loop(TickRate rate, FramePolicy policy) {
            clock = new FrameClock(real, policy);
            driver = PhysicsService.builder(new Empty()).rate(rate).inline(clock);
        }

        /** Ticks run by a frame that begins so long after the one before. */
        int frame(long nanos) {
            real.advance(nanos);
            clock.beginFrame();
            return driver.runDueTicks();
        }
    }

    private static final class Empty implements Simulation {

        @Override
        public void step(Tick tick) {}

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(0);
        }
    }
}
