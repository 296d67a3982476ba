package dev.escapement.state.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How much of a core a pacer spins, at any rate. */
class PacerSpinShareTest {

    private static final long SPIN_NANOS = 50;
    private static final int WAITS = 10_000;

    private final ManualClock clock = new ManualClock(Long.MAX_VALUE - 1_000_000);
    private final UnsteadyTimer timer = new UnsteadyTimer();
    private long deadlineNanos = clock.nanoTime();

    @ParameterizedTest
    @ValueSource(ints = {100, 1000, 4000, 10_000})
    void shouldSpinNoMoreThanItsShareOfACoreByDefault(int hertz) {
        long startNanos = clock.nanoTime();
        long maxNanos = awaitTicks(new Pacer(clock, timer, WaitStrategy.PARK_THEN_SPIN), hertz, WAITS);

        assertThat(timer.spunNanos).isPositive();
        assertThat((double) timer.spunNanos).isLessThanOrEqualTo(0.02 * (clock.nanoTime() - startNanos));
        assertThat(maxNanos).as("in each wait alike").isLessThanOrEqualTo(20_000_000L / hertz);
    }

    @Test
    void shouldSpinNoMoreThanTheGivenShare() {
        long startNanos = clock.nanoTime();
        awaitTicks(new Pacer(clock, timer, WaitStrategy.PARK_THEN_SPIN, 0.5), 4000, WAITS);
        assertThat((double) timer.spunNanos)
                .isBetween(0.1 * (clock.nanoTime() - startNanos), 0.5 * (clock.nanoTime() - startNanos));
    }

    @Test
    void shouldNeverSpinForAShareOfNothing() {
        Pacer pacer = new Pacer(clock, timer, WaitStrategy.PARK_THEN_SPIN, 0);
        awaitTicks(pacer, 100, WAITS);
        assertThat(timer.spunNanos).isZero();
        assertThat(pacer.marginNanos()).isZero();
    }

    @Test
    void shouldSpinForTheTimeSinceTheLatestDeadlineOnly() {
        timer.oversleepNanos = 0;
        Pacer pacer = new Pacer(clock, timer, WaitStrategy.PARK_THEN_SPIN);
        long latestNanos = clock.nanoTime() + 10_000_000;
        pacer.awaitUntil(latestNanos);
        pacer.awaitUntil(latestNanos - 5_000_000);
        pacer.awaitUntil(latestNanos);
        clock.advance(latestNanos + 100_000 - clock.nanoTime());
        timer.spunNanos = 0;

        pacer.awaitUntil(latestNanos + 120_000);

        assertThat(timer.spunNanos).as("2 % of 120 us, in whole spins").isBetween(1L, 2_400L);
    }

    @Test
    void shouldSpinForTheTimeSinceItWasMadeAtFirst() {
        timer.oversleepNanos = 0;
        Pacer pacer = new Pacer(clock, timer, WaitStrategy.PARK_THEN_SPIN);
        pacer.awaitUntil(clock.nanoTime() + 100_000);
        assertThat(timer.spunNanos).isBetween(1L, 2_000L);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.01, 1.01, Double.NaN, Double.POSITIVE_INFINITY})
    void shouldRefuseAShareOfMoreThanACoreOrLessThanNone(double share) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Pacer(clock, timer, WaitStrategy.PARK_THEN_SPIN, share))
                .withMessage("the share of a core to spin must be within 0 and 1, but is " + share);
    }

    /** Ticks at a steady rate; how long the longest spin was. */
    private long awaitTicks(Pacer pacer, int hertz, int count) {
        long maxNanos = 0;
        for (int i = 0; i < count; i++) {
            deadlineNanos += 1_000_000_000L / hertz;
            long spunBefore = timer.spunNanos;
            assertThat(pacer.awaitUntil(deadlineNanos)).isTrue();
            assertThat(clock.nanoTime() - deadlineNanos).isNotNegative();
            maxNanos = Math.max(maxNanos, timer.spunNanos - spunBefore);
        }
        return maxNanos;
    }

    /** Time passes only here. Oversleeps by 0 to 190 us, in turns, unless set otherwise. */
    private final class UnsteadyTimer implements Waiter {

        private long oversleepNanos = -1;
        private long parks;
        private long spunNanos;

        @Override
        public void park(long nanos) {
            clock.advance(nanos + (oversleepNanos < 0 ? parks++ % 20 * 10_000 : oversleepNanos));
        }

        @Override
        public void spin() {
            spunNanos += SPIN_NANOS;
            clock.advance(SPIN_NANOS);
        }
    }
}
