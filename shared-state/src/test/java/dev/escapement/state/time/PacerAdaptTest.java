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
        timer.oversleepNanos = 200_000;
        awaitTicks(100);
        timer.oversleepNanos = 0; // so that the whole margin is spun
        pacer.adapt(60_000, false);
        awaitTicks(1);
        timer.spunNanos = 0;
        awaitTicks(1);
        assertThat(timer.spunNanos).isBetween(50_000L, 60_000L);
    }

    /** So it pays for the usual oversleep, not for the longest. */
    @Test
    void shouldWakeInTimeThreeTimesOfFourOnceItIsTold() {
        pacer.adapt(60_000, false);
        long inTime = 0;
        for (int i = 0; i < 4_000; i++) {
            timer.oversleepNanos = 80_000 + i * 7_919L % 40_000; // evenly from 80 to 120 us
            awaitTicks(1);
            if (i >= 2_000 && timer.lateNanos <= SPIN_NANOS) {
                inTime++;
            }
        }
        assertThat(inTime).isBetween(1_400L, 1_600L);
        timer.oversleepNanos = 4_000_000;
        awaitTicks(1);
        assertThat(pacer.marginNanos()).as("as little by a long oversleep").isBetween(105_000L, 117_000L);
    }

    @Test
    void shouldYieldOnceAWaitOnAnIdleCoreAndNeverUnasked() {
        awaitTicks(10);
        assertThat(timer.yields).isZero();
        pacer.adapt(60_000, true);
        timer.yieldNanos = new long[] {400_000}; // a virtual machine's host took the core
        awaitTicks(10);
        assertThat(timer.yields).isEqualTo(10);
    }

    /** Each yield gives up a slice, until one waits for the kernel's next tick. */
    @Test
    void shouldYieldOnABusyCoreUntilItHasWaitedForATick() {
        pacer.adapt(60_000, true);
        timer.yieldNanos = new long[] {600_000, 1_000, 1_000, 3_500_000};
        awaitTicks(1);
        assertThat(timer.yields).isEqualTo(4);
        assertThat(timer.lateNanos).isLessThanOrEqualTo(SPIN_NANOS);
        timer.yields = 0;
        awaitTicks(1);
        assertThat(timer.yields).as("while the core is busy").isEqualTo(4);
    }

    @Test
    void shouldEndYieldingInTimeForTheDeadline() {
        pacer.adapt(60_000, true);
        timer.yieldNanos = new long[] {2_000_000};
        awaitTicks(1);
        assertThat(timer.yields).as("5 ms of 10 are left for a wait of a tick").isEqualTo(3);
        timer.yieldNanos = new long[] {600_000, 10};
        timer.yields = 0;
        awaitTicks(1);
        assertThat(timer.yields).isEqualTo(YieldingWait.MAX_YIELDS);
        timer.yields = 0;
        pacer.awaitUntil(clock.nanoTime() + 4_000_000);
        assertThat(timer.yields).isZero();
    }

    @Test
    void shouldForgetAfterAWhileThatTheCoreWasBusy() {
        pacer.adapt(60_000, true);
        timer.yieldNanos = new long[] {600_000, 3_500_000};
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
