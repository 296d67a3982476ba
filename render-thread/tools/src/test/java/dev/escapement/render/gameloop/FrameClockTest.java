package dev.escapement.render.gameloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.state.time.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FrameClockTest {

    private static final long MILLI = 1_000_000;
    private static final long TEN_MINUTES = Duration.ofMinutes(10).toNanos();

    private final ManualClock real = new ManualClock(7);

    @Test
    void shouldLetTimePassOnlyFromFrameToFrame() {
        FrameClock clock = new FrameClock(real, new Accumulator(250 * MILLI));
        assertThat(clock.nanoTime()).isZero();
        clock.beginFrame();
        assertThat(clock.nanoTime()).as("the first frame").isZero();
        real.advance(20 * MILLI);
        assertThat(clock.nanoTime()).as("within a frame").isZero();
        clock.beginFrame();
        assertThat(clock.nanoTime()).isEqualTo(20 * MILLI);
        real.advance(TEN_MINUTES);
        clock.beginFrame();
        assertThat(clock.nanoTime()).as("a long frame").isEqualTo(270 * MILLI);
    }

    @Test
    void shouldReleaseAllTimeWithoutLoss() {
        FrameClock clock = new FrameClock(real, Accumulator.WITHOUT_LOSS);
        clock.beginFrame();
        real.advance(TEN_MINUTES);
        clock.beginFrame();
        assertThat(clock.nanoTime()).isEqualTo(TEN_MINUTES);
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
}
