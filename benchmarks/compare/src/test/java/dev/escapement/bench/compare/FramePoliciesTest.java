package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.compare.FramePolicies.AbsoluteTicks;
import dev.escapement.bench.compare.FramePolicies.CappedTicks;
import dev.escapement.bench.compare.FramePolicies.RefreshQuantised;
import dev.escapement.render.gameloop.Accumulator;
import dev.escapement.state.time.TickRate;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The metrics that the policies are known for. */
class FramePoliciesTest {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final TickRate SIXTY = TickRate.hertz(60);
    private static final TickRate TWENTY = TickRate.hertz(20);

    private long releasedNanos;

    @Test
    void shouldCapTheTicksOfAStallAndLoseTheRest() {
        TickRate rate = TickRate.hertz(120);
        CappedTicks policy = new CappedTicks(rate, 8);
        releasedNanos = policy.release(0, SECOND);
        assertThat(rate.tickAt(releasedNanos)).isEqualTo(8);
        releasedNanos += policy.release(releasedNanos, rate.nanosAt(1) + 1);
        assertThat(rate.tickAt(releasedNanos)).as("no debt").isEqualTo(9);
    }

    @Test
    void shouldStepOnAbsoluteTime() {
        AbsoluteTicks policy = new AbsoluteTicks(TWENTY, 5);
        assertThat(dueAfter(policy, 100 * MILLI)).isEqualTo(2);
        assertThat(dueAfter(policy, 50 * MILLI)).isEqualTo(3);
        TickRate thirty = TickRate.hertz(30);
        long before = releasedNanos;
        for (int frame = 1; frame <= 9; frame++) {
            assertThat(dueAfter(policy, thirty.nanosAt(frame) - thirty.nanosAt(frame - 1)))
                    .isEqualTo(3 + TWENTY.tickAt(thirty.nanosAt(frame)));
        }
        assertThat(releasedNanos - before).isEqualTo(thirty.nanosAt(9));
    }

    @Test
    void shouldLeaveExactlyOneTickAfterAnOverload() {
        AbsoluteTicks policy = new AbsoluteTicks(TWENTY, 5);
        dueAfter(policy, SECOND);
        assertThat(releasedNanos).as("5 run, and alpha is 1 and not more").isEqualTo(TWENTY.nanosAt(6));
        dueAfter(policy, SECOND);
        assertThat(releasedNanos).isEqualTo(TWENTY.nanosAt(11));
        assertThat(dueAfter(policy, 1)).as("the one that was left").isEqualTo(11);
    }

    @Test
    void shouldReleaseExactlyTheWholePeriodsElapsed() {
        RefreshQuantised policy = new RefreshQuantised(SIXTY, 4);
        SplittableRandom random = new SplittableRandom(30);
        long elapsed = 0;
        for (int i = 0; i < 30; i++) {
            long frame = random.nextLong(10 * MILLI, 40 * MILLI);
            elapsed += frame;
            releasedNanos += policy.release(releasedNanos, frame);
            assertThat(releasedNanos).isEqualTo(SIXTY.nanosAt(SIXTY.tickAt(elapsed)));
        }
    }

    @Test
    void shouldLieAboutTimeAboveTheThreshold() {
        RefreshQuantised policy = new RefreshQuantised(SIXTY, 6);
        assertThat(policy.release(0, 120 * MILLI))
                .as("7 whole periods become 6")
                .isEqualTo(SIXTY.nanosAt(6));
        // 0.12 s are 7 periods and 1/300 s, which is carried: 1/60 - 1/300 s later the next period is complete.
        long toTheNext = SECOND / 60 - SECOND / 300;
        assertThat(policy.release(SIXTY.nanosAt(6), toTheNext - 1)).isZero();
        assertThat(policy.release(SIXTY.nanosAt(6), 2)).isPositive();
        assertThat(new Accumulator(100 * MILLI).release(0, 120 * MILLI))
                .as("unquantised: a sixth slower")
                .isEqualTo(100 * MILLI);
    }

    /** How many ticks are due after a frame. */
    private long dueAfter(AbsoluteTicks policy, long frameNanos) {
        releasedNanos += policy.release(releasedNanos, frameNanos);
        return TWENTY.tickAt(releasedNanos);
    }
}
