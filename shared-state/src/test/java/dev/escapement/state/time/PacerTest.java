package dev.escapement.state.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PacerTest {

    private static final long SPIN_NANOS = 50;

    private final ManualClock clock = new ManualClock(Long.MAX_VALUE - 1_000_000);
    private final SimulatedTimer timer = new SimulatedTimer();
    private final Pacer pacer = new Pacer(clock, timer);

    @Test
    void shouldReturnAtTheDeadlineAndNotBefore() {
        for (int i = 0; i < 1000; i++) {
            timer.oversleepNanos = i % 20 * 1000L; // within the least margin
            long deadline = clock.nanoTime() + 10_000_000;

            assertThat(pacer.awaitUntil(deadline)).isTrue();

            assertThat(clock.nanoTime() - deadline).isBetween(0L, SPIN_NANOS);
        }
    }

    @Test
    void shouldReturnAtOnceWhenTheDeadlineHasPassed() {
        long before = clock.nanoTime();
        assertThat(pacer.awaitUntil(before - 1)).isTrue();
        assertThat(clock.nanoTime()).isEqualTo(before);
    }

    @Test
    void shouldLearnTheTimersOversleepWithinItsBounds() {
        timer.oversleepNanos = 200_000;
        awaitTicks(100);
        assertThat(pacer.marginNanos()).isBetween(190_000L, Pacer.MAX_MARGIN_NANOS);

        timer.oversleepNanos = 0;
        awaitTicks(1000);
        assertThat(pacer.marginNanos()).isBetween(Pacer.MIN_MARGIN_NANOS, 2 * Pacer.MIN_MARGIN_NANOS);

        timer.oversleepNanos = 50_000_000;
        awaitTicks(100);
        assertThat(pacer.marginNanos()).isEqualTo(Pacer.MAX_MARGIN_NANOS);
    }

    @Test
    void shouldSpinOnlyForTheMargin() {
        timer.oversleepNanos = 60_000;
        awaitTicks(1000);
        timer.spins = 0;
        awaitTicks(100);
        assertThat(timer.spins * SPIN_NANOS / 100).isLessThan(20_000);
    }

    @Test
    void shouldEndAWaitWhenCancelled() {
        timer.cancelAtPark = true;
        assertThat(pacer.awaitUntil(clock.nanoTime() + 10_000_000_000L)).isFalse();
        assertThat(pacer.awaitUntil(clock.nanoTime() - 1)).isFalse();
    }

    @Test
    void shouldNeverSpinNorReturnEarlyWhenParkingOnly() {
        Pacer parking = new Pacer(clock, timer, Pacing.PARK_ONLY);
        for (int i = 0; i < 1000; i++) {
            timer.oversleepNanos = i % 20 * 10_000L - 50_000; // wakes early, too
            long deadline = clock.nanoTime() + 10_000_000;

            assertThat(parking.awaitUntil(deadline)).isTrue();

            assertThat(clock.nanoTime() - deadline).isBetween(0L, Math.max(0, timer.oversleepNanos));
        }
        assertThat(timer.spins).isZero();
        assertThat(parking.marginNanos()).isZero();
    }

    private void awaitTicks(int count) {
        for (int i = 0; i < count; i++) {
            pacer.awaitUntil(clock.nanoTime() + 10_000_000);
        }
    }

    /** Time passes only here. */
    private final class SimulatedTimer implements Waiting {

        private long oversleepNanos;
        private long spins;
        private boolean cancelAtPark;

        @Override
        public void park(long nanos) {
            clock.advance(nanos + Math.max(oversleepNanos, -nanos / 2));
            if (cancelAtPark) {
                pacer.cancel();
            }
        }

        @Override
        public void spin() {
            spins++;
            clock.advance(SPIN_NANOS);
        }
    }
}
