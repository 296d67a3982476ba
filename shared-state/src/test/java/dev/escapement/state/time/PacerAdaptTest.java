package dev.escapement.state.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How waits change with what the operating system has granted. */
class PacerAdaptTest {

    private static final long TICK_NANOS = 10_000_000;
    private static final long SPIN_NANOS = 50;

    private final ManualClock clock = new ManualClock(Long.MAX_VALUE - 1_000_000);
    private final SimulatedTimer timer = new SimulatedTimer();
    private final Pacer pacer = new Pacer(clock, timer, WaitStrategy.PARK_THEN_SPIN);

    @Test
    void shouldSpinNoLongerThanItIsTold() {
        assertThat(spunNanosAfterLongOversleeps()).isGreaterThan(100_000);
        pacer.adapt(60_000, false);
        assertThat(spunNanosAfterLongOversleeps()).isBetween(50_000L, 60_000L);
    }

    private long spunNanosAfterLongOversleeps() {
        timer.oversleepNanos = 200_000;
        awaitTicks(100);
        timer.oversleepNanos = 0; // so that the whole margin is spun
        timer.spunNanos = 0;
        awaitTicks(1);
        return timer.spunNanos;
    }

    @Test
    void shouldYieldOnceAWaitOnAnIdleCoreAndNeverUnasked() {
        awaitTicks(10);
        assertThat(timer.yields).isZero();
        pacer.adapt(60_000, true);
        awaitTicks(10);
        assertThat(timer.yields).isEqualTo(10);
    }

    /** Each yield gives up a slice, until one waits for the kernel's next tick. */
    @Test
    void shouldYieldOnABusyCoreUntilItHasWaitedForATick() {
        pacer.adapt(60_000, true);
        timer.yieldNanos = new long[] {100_000, 1_000, 1_000, 3_500_000};
        awaitTicks(1);
        assertThat(timer.yields).isEqualTo(4);
        assertThat(timer.lateNanos).isLessThanOrEqualTo(SPIN_NANOS);
        timer.yields = 0;
        awaitTicks(1);
        assertThat(timer.yields).as("for a second after").isEqualTo(4);
    }

    @Test
    void shouldEndYieldingInTimeForTheDeadline() {
        pacer.adapt(60_000, true);
        timer.yieldNanos = new long[] {2_000_000};
        awaitTicks(1);
        assertThat(timer.yields).as("5 ms of 10 are left for a wait of a tick").isEqualTo(3);
        timer.yieldNanos = new long[] {100_000, 10};
        timer.yields = 0;
        awaitTicks(1);
        assertThat(timer.yields).isEqualTo(YieldingWait.MAX_YIELDS);
        timer.yields = 0;
        pacer.awaitUntil(clock.nanoTime() + 4_000_000);
        assertThat(timer.yields).isZero();
    }

    @Test
    void shouldForgetAfterASecondThatTheCoreWasBusy() {
        pacer.adapt(60_000, true);
        timer.yieldNanos = new long[] {100_000, 3_500_000};
        awaitTicks(1);
        timer.yieldNanos = new long[] {10};
        clock.advance(YieldingWait.CONTENDED_FOR_NANOS);
        timer.yields = 0;
        awaitTicks(1);
        assertThat(timer.yields).isEqualTo(1);
    }

    private void awaitTicks(int count) {
        for (int i = 0; i < count; i++) {
            long deadline = clock.nanoTime() + TICK_NANOS;
            timer.yieldsInWait = 0;
            pacer.awaitUntil(deadline);
            timer.lateNanos = clock.nanoTime() - deadline;
        }
    }

    /** Time passes only here. */
    private final class SimulatedTimer implements Waiter {

        private long oversleepNanos;
        private long spunNanos;
        private long lateNanos;
        private int yields;
        private int yieldsInWait;
        private long[] yieldNanos = {10};

        @Override
        public void park(long nanos) {
            clock.advance(nanos + oversleepNanos);
        }

        @Override
        public void spin() {
            spunNanos += SPIN_NANOS;
            clock.advance(SPIN_NANOS);
        }

        @Override
        public void yieldCore() {
            yields++;
            clock.advance(yieldNanos[Math.min(yieldsInWait++, yieldNanos.length - 1)]);
        }
    }
}
