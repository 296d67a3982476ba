package dev.escapement.physics.gameloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.ScriptedSimulation;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The game loops of the literature and the metrics they are known for, on a manual clock. */
class LoopsTest {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final TickRate SIXTY = TickRate.hertz(60);
    private static final TickRate HUNDRED = TickRate.hertz(100);

    private final ManualClock real = new ManualClock(Long.MAX_VALUE - 5 * SECOND); // wraps within the test

    @Test
    void shouldRunOneTickAFrameAtAnyRealTime() {
        Loop loop = new Loop(SIXTY, new FrameLocked(SIXTY));
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 500; i++) {
            assertThat(loop.frame(random.nextLong(1, 300 * MILLI))).isOne();
        }
    }

    @Test
    void shouldCapTheTicksOfAStallAndLoseTheRest() {
        TickRate rate = TickRate.hertz(120);
        Loop loop = new Loop(rate, new CappedTicks(rate, 8));
        assertThat(loop.frame(0)).isZero();
        assertThat(loop.frame(SECOND)).isEqualTo(8);
        assertThat(loop.clock.behindNanos()).isEqualTo(SECOND - rate.nanosAt(8));
        assertThat(loop.frame(rate.nanosAt(1) + 1)).as("no debt").isOne();
    }

    @Test
    void shouldLoseNothingInLockstep() {
        TickRate rate = TickRate.hertz(120);
        Loop loop = new Loop(rate, Accumulator.WITHOUT_LOSS);
        loop.frame(0);
        assertThat(loop.frame(SECOND)).isEqualTo(120);
        assertThat(loop.frame(600 * SECOND)).isEqualTo(72_000);
    }

    @Test
    void shouldStepOnAbsoluteTime() {
        TickRate rate = TickRate.hertz(20);
        Loop loop = new Loop(rate, new AbsoluteTicks(rate, 5), 5);
        loop.frame(0);
        assertThat(loop.frame(100 * MILLI)).isEqualTo(2);
        assertThat(loop.frame(50 * MILLI)).isEqualTo(1);
        assertThat(loop.thirtiethsOfASecond(9)).containsExactly(0, 1, 1, 0, 1, 1, 0, 1, 1);
    }

    @Test
    void shouldLeaveExactlyOneTickAfterAnOverload() {
        TickRate rate = TickRate.hertz(20);
        Loop loop = new Loop(rate, new AbsoluteTicks(rate, 5), 5);
        loop.frame(0);
        assertThat(loop.frame(SECOND)).isEqualTo(5);
        assertThat(loop.clock.nanoTime()).as("a blend of 1 and not more").isEqualTo(rate.nanosAt(6));
        assertThat(loop.frame(SECOND)).isEqualTo(5);
        assertThat(loop.clock.nanoTime()).isEqualTo(rate.nanosAt(11));
        assertThat(loop.frame(1)).as("the one that was left").isOne();
        assertThat(loop.frame(1)).isZero();
    }

    @Test
    void shouldReleaseExactlyTheWholePeriodsElapsed() {
        RefreshQuantised policy = new RefreshQuantised(SIXTY, 4);
        SplittableRandom random = new SplittableRandom(30);
        long released = 0;
        long elapsed = 0;
        for (int i = 0; i < 30; i++) {
            long frame = random.nextLong(10 * MILLI, 40 * MILLI);
            elapsed += frame;
            released += policy.release(released, frame);
            assertThat(released).isEqualTo(SIXTY.nanosAt(SIXTY.tickAt(elapsed)));
        }
        assertThat(policy.skippedPeriods()).isZero();
    }

    @Test
    void shouldLieAboutTimeAboveTheThreshold() {
        RefreshQuantised policy = new RefreshQuantised(SIXTY, 6);
        assertThat(policy.release(0, 120 * MILLI))
                .as("7 whole periods become 6")
                .isEqualTo(SIXTY.nanosAt(6));
        assertThat(policy.skippedPeriods()).isOne();
        // 0.12 s are 7 periods and 1/300 s, which is carried: 1/60 - 1/300 s later the next period is complete.
        long toTheNext = SECOND / 60 - SECOND / 300;
        assertThat(policy.release(SIXTY.nanosAt(6), toTheNext - 1)).isZero();
        assertThat(policy.release(SIXTY.nanosAt(6), 2)).isPositive();
        assertThat(new Accumulator(100 * MILLI).release(0, 120 * MILLI))
                .as("unquantised: a sixth slower")
                .isEqualTo(100 * MILLI);
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
                .isThrownBy(() -> new CappedTicks(SIXTY, 0))
                .withMessageContaining("maxTicks is 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AbsoluteTicks(SIXTY, -1))
                .withMessageContaining("maxTicks is -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RefreshQuantised(SIXTY, 0))
                .withMessageContaining("maxPeriods is 0");
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
        private final int maxTicks;

        Loop(TickRate rate, FramePolicy policy) {
            this(rate, policy, Integer.MAX_VALUE);
        }

        Loop(TickRate rate, FramePolicy policy, int maxTicks) {
            this.maxTicks = maxTicks;
            clock = new FrameClock(real, policy);
            driver =
                    PhysicsService.builder(ScriptedSimulation.good()).rate(rate).inline(clock);
        }

        /** Ticks run by a frame that begins so long after the one before. */
        int frame(long nanos) {
            real.advance(nanos);
            clock.beginFrame();
            return driver.runDueTicks(maxTicks);
        }

        List<Integer> thirtiethsOfASecond(int frames) {
            TickRate thirty = TickRate.hertz(30);
            List<Integer> ticks = new ArrayList<>();
            for (int frame = 1; frame <= frames; frame++) {
                ticks.add(frame(thirty.nanosAt(frame) - thirty.nanosAt(frame - 1)));
            }
            return ticks;
        }
    }
}
