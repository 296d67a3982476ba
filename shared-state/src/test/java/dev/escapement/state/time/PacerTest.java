package dev.escapement.state.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PacerTest {

    private static final long SPIN_NANOS = 50;
    private static final long TICK_NANOS = 10_000_000;
    private static final long SIGNAL_NANOS = 1_000;

    private final ManualClock clock = new ManualClock(Long.MAX_VALUE - 1_000_000);
    private final SimulatedTimer timer = new SimulatedTimer();
    private final Pacer pacer = new Pacer(clock, timer, WaitStrategy.PARK_THEN_SPIN);

    @Test
    void shouldReturnAtTheDeadlineAndNotBefore() {
        for (int i = 0; i < 1000; i++) {
            timer.oversleepNanos = i % 20 * 1000L; // within the smallest margin
            long deadline = clock.nanoTime() + 10_000_000;

            assertThat(pacer.awaitUntil(deadline)).isTrue();

            assertThat(clock.nanoTime() - deadline).isBetween(0L, SPIN_NANOS);
        }
    }

    @Test
    void shouldReturnImmediatelyAtTheDeadline() {
        clock.advance(0);
        assertThat(pacer.awaitUntil(clock.nanoTime())).isTrue();
        assertThat(timer.parks + timer.spins).isZero();
    }

    @Test
    void shouldLearnTheTimersOversleepWithinItsBounds() {
        timer.oversleepNanos = 200_000;
        awaitTicks(100);
        assertThat(pacer.marginNanos()).isBetween(190_000L, Pacer.MAX_MARGIN_NANOS);
        assertThat(awaitTicks(100)).as("2 % of 10 ms are enough").isLessThanOrEqualTo(SPIN_NANOS);

        timer.oversleepNanos = 0;
        awaitTicks(1000);
        assertThat(pacer.marginNanos()).isBetween(Pacer.MIN_MARGIN_NANOS, 2 * Pacer.MIN_MARGIN_NANOS);

        timer.oversleepNanos = 50_000_000;
        awaitTicks(100);
        assertThat(pacer.marginNanos()).isEqualTo(Pacer.MAX_MARGIN_NANOS);
    }

    @Test
    void shouldNeverSpinNorReturnEarlyWhenParkingOnly() {
        Pacer parking = new Pacer(clock, timer, WaitStrategy.PARK_ONLY);
        for (int i = 0; i < 1000; i++) {
            timer.oversleepNanos = i % 20 * 10_000L - 50_000; // wakes early, too
            long deadline = clock.nanoTime() + 10_000_000;

            assertThat(parking.awaitUntil(deadline)).isTrue();

            assertThat(clock.nanoTime() - deadline).isBetween(0L, Math.max(0, timer.oversleepNanos));
        }
        assertThat(timer.spins).isZero();
        assertThat(parking.marginNanos()).isZero();
    }

    /** A busy machine takes the core from a spinning thread for 3 ms, so the pacer must only park. */
    @Test
    void shouldOnlyParkWhereSpinningLosesTheCore() {
        awaitTicks(200);
        timer.lostNanos = 3_000_000;
        awaitTicks(2);
        assertThat(awaitTicks(Pacer.FIRST_WAITS))
                .as("parked, as late as the timer")
                .isLessThanOrEqualTo(timer.oversleepNanos);
        assertThat(awaitTicks(1)).as("tries again").isGreaterThan(2_000_000);
        assertThat(awaitTicks(2 * Pacer.FIRST_WAITS)).isLessThanOrEqualTo(timer.oversleepNanos);
        awaitTicks(1 + Pacer.MAX_WAITS + 1 + Pacer.MAX_WAITS);
        int lost = 0;
        for (int i = 0; i < 10_000; i++) {
            lost += awaitTicks(1) > timer.oversleepNanos ? 1 : 0;
        }
        assertThat(lost).as("fewer than one in a hundred").isBetween(1, 10);

        timer.lostNanos = 0;
        awaitTicks(Pacer.MAX_WAITS);
        timer.spins = 0;
        awaitTicks(1000);
        assertThat(timer.spins).as("calm again").isGreaterThan(1000);
    }

    @Test
    void shouldParkLongerAfterEachLossUntilSpinsAreCalm() {
        pacer.spun(Pacer.LOST_NANOS);
        assertThat(pacer.maySpin()).as("spins after a single loss").isTrue();
        pacer.spun(Pacer.LOST_NANOS);
        assertParks(Pacer.FIRST_WAITS);
        spinWell(Pacer.CALM_SPINS - 1);
        pacer.spun(Pacer.LOST_NANOS);
        assertParks(2 * Pacer.FIRST_WAITS);
        spinWell(Pacer.CALM_SPINS);
        pacer.spun(Pacer.LOST_NANOS);
        pacer.spun(Pacer.LOST_NANOS);
        assertParks(Pacer.FIRST_WAITS);
    }

    private void spinWell(int times) {
        for (int i = 0; i < times; i++) {
            pacer.spun(Pacer.LOST_NANOS - 1);
        }
    }

    private void assertParks(int waits) {
        for (int i = 0; i < waits; i++) {
            assertThat(pacer.maySpin()).as("wait %d of %d", i, waits).isFalse();
        }
        assertThat(pacer.maySpin()).isTrue();
    }

    @Test
    void shouldAwaitASignalWithinALimitWithoutSpinning() {
        long before = clock.nanoTime();
        timer.oversleepNanos = -1_000; // wakes early
        assertThat(pacer.awaitSignal(10_000_000)).isTrue();
        assertThat(clock.nanoTime() - before).isBetween(10_000_000L, 10_010_000L);
        assertThat(timer.spins).isZero();

        pacer.signal();
        before = clock.nanoTime();
        assertThat(pacer.awaitSignal(10_000_000)).isTrue();
        assertThat(clock.nanoTime()).as("it had been signalled").isEqualTo(before);
        timer.cancelAtPark = true;
        assertThat(pacer.awaitSignal(10_000_000)).isFalse();
        assertThat(clock.nanoTime()).as("signalled once").isGreaterThan(before);
    }

    @Test
    void shouldParkAgainWithAnInterruptPending() {
        Thread.currentThread().interrupt();
        long deadline = clock.nanoTime() + 10_000_000;
        assertThat(pacer.awaitUntil(deadline)).isTrue();
        assertThat(clock.nanoTime() - deadline).isNotNegative();
        assertThat(timer.parks).isEqualTo(2);
        assertThat(Thread.interrupted()).as("the interrupt is not lost").isTrue();
    }

    /** Uses a real thread, which parks in the operating system. */
    @Test
    @Timeout(60)
    void shouldWakeAParkedThreadWhenCancelled() throws Exception {
        CountDownLatch parking = new CountDownLatch(1);
        Waiter announcing = new Waiter() {
            @Override
            public void park(long nanos) {
                parking.countDown();
                Waiter.super.park(nanos);
            }
        };
        Pacer real = new Pacer(NanoClock.system(), announcing, WaitStrategy.PARK_ONLY);
        CompletableFuture<Boolean> waited =
                CompletableFuture.supplyAsync(() -> real.awaitUntil(System.nanoTime() + 3_600_000_000_000L));
        parking.await();
        assertThat(real.isCancelled()).isFalse();
        real.cancel();
        assertThat(waited.get()).isFalse();
        assertThat(real.isCancelled()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 1000, 4000, 10_000})
    void shouldSpinNoMoreThanItsShareOfACore(int hertz) {
        timer.isUnsteady = true;
        long startNanos = clock.nanoTime();
        long deadlineNanos = startNanos;
        for (int i = 0; i < 10_000; i++) {
            deadlineNanos += 1_000_000_000L / hertz;
            long spunBefore = timer.spunNanos();
            assertThat(pacer.awaitUntil(deadlineNanos)).isTrue();
            assertThat(clock.nanoTime() - deadlineNanos).isNotNegative();
            assertThat(timer.spunNanos() - spunBefore).isLessThanOrEqualTo(20_000_000L / hertz);
        }
        assertThat(timer.spunNanos()).isPositive();
        assertThat((double) timer.spunNanos()).isLessThanOrEqualTo(0.02 * (clock.nanoTime() - startNanos));
    }

    /** The clock wraps between the signal and the deadline. */
    @Test
    void shouldSpinForTheTimeSinceAnEarlySignal() {
        pacer.signal();
        pacer.awaitUntilOrSignal(clock.nanoTime() + 2_000_000);
        timer.spins = 0;
        pacer.awaitUntil(clock.nanoTime() + 500_000);
        assertThat(timer.spunNanos()).as("2 % of 500 us").isBetween(1L, 10_000L);
    }

    /** The margin covers the usual oversleep, not the longest. */
    @Test
    void shouldWakeInTimeThreeTimesOfFour() {
        pacer.adapt(60_000, null);
        long inTime = 0;
        for (int i = 0; i < 4_000; i++) {
            timer.oversleepNanos = 80_000 + i * 7_919L % 40_000; // evenly distributed from 80 to 120 us
            inTime += awaitTicks(1) <= SPIN_NANOS && i >= 2_000 ? 1 : 0;
        }
        assertThat(inTime).isBetween(1_400L, 1_600L);
        timer.oversleepNanos = 4_000_000;
        awaitTicks(1);
        assertThat(pacer.marginNanos()).as("as little by a long oversleep").isBetween(105_000L, 117_000L);
    }

    /** A probe costs a wake-up, so only one wait of seven checks whether other threads want the core. */
    @Test
    void shouldQueueNowAndThenOnAnIdleCore() {
        pacer.adapt(60_000, timer);
        timer.coreTakenNanos = 400_000; // the host of a virtual machine took the core
        awaitTicks(70);
        assertThat(timer.allowed).hasSize(2 * 10);
    }

    @Test
    void shouldQueueBeforeEachDeadlineWhileOthersWantTheCore() {
        contend();
        for (int i = 0; i < 3; i++) {
            long startNanos = clock.nanoTime();
            assertThat(awaitTicks(1)).as("gets its core in time").isLessThanOrEqualTo(SPIN_NANOS);
            assertThat(timer.queuedNanos - startNanos)
                    .as("wakes before the deadline by a lead")
                    .isEqualTo(TICK_NANOS - QueuedWait.LEAD_NANOS);
        }
        assertThat(timer.allowed).containsExactly(false, true, false, true, false, true);
    }

    /** Waiting for the core is no oversleep of the timer. */
    @Test
    void shouldLearnNoMarginFromWaitingForTheCore() {
        pacer.adapt(60_000, timer);
        awaitTicks(200); // on time, so that the margin shrinks to its minimum
        assertThat(pacer.marginNanos()).isEqualTo(Pacer.MIN_MARGIN_NANOS);
        timer.coreTakenNanos = 4_000_000;
        awaitTicks(100);
        assertThat(pacer.marginNanos()).isEqualTo(Pacer.MIN_MARGIN_NANOS);
    }

    @Test
    void shouldNotQueueWithoutTimeForIt() {
        contend();
        pacer.awaitUntil(clock.nanoTime() + QueuedWait.LEAD_NANOS);
        assertThat(timer.allowed).isEmpty();
        pacer.awaitUntil(clock.nanoTime() + QueuedWait.LEAD_NANOS + 1);
        assertThat(timer.allowed).containsExactly(false, true);
    }

    /** A thread that waits for an hour must wake up at the signal, and not only 5 ms before the hour ends. */
    @Test
    void shouldHearASignalWhileItQueues() {
        contend();
        timer.signalAtPark = true;
        long startNanos = clock.nanoTime();
        assertThat(pacer.awaitUntilOrSignal(startNanos + 3_600_000_000_000L)).isTrue();
        assertThat(clock.nanoTime() - startNanos).isEqualTo(SIGNAL_NANOS);
        assertThat(timer.allowed).containsExactly(false, true);
        timer.signalAtPark = false;
        timer.allowed.clear();
        awaitTicks(1);
        assertThat(timer.allowed).as("still contended, for it was not late").hasSize(2);
    }

    private void contend() {
        pacer.adapt(60_000, timer);
        timer.coreTakenNanos = 4_000_000;
        awaitTicks(QueuedWait.WAITS_BETWEEN_PROBES);
        timer.allowed.clear();
    }

    private long awaitTicks(int count) {
        long max = 0;
        for (int i = 0; i < count; i++) {
            long deadline = clock.nanoTime() + 10_000_000;
            pacer.awaitUntil(deadline);
            max = Math.max(max, clock.nanoTime() - deadline);
        }
        return max;
    }

    /** A timer whose parks and spins advance the clock. A thread without wake-up preemption waits for its core when it wakes. */
    private final class SimulatedTimer implements Waiter, Pacer.WakeupPreemption {

        private long oversleepNanos;

        /** Oversleeps by 0 to 190 us in turn, instead of {@code oversleepNanos}. */
        private boolean isUnsteady;

        private long lostNanos;
        private long coreTakenNanos;
        private long spins;
        private long parks;
        private boolean cancelAtPark;
        private boolean signalAtPark;
        private final List<Boolean> allowed = new ArrayList<>();
        private boolean isForbidden;
        private long queuedNanos;

        private long spunNanos() {
            return spins * SPIN_NANOS;
        }

        @Override
        public void park(long nanos) {
            parks++;
            if (Thread.currentThread().isInterrupted()) {
                return; // as LockSupport.parkNanos does
            }
            if (cancelAtPark) {
                pacer.cancel();
            }
            if (signalAtPark) {
                pacer.signal();
                clock.advance(SIGNAL_NANOS);
            } else if (isForbidden) {
                queuedNanos = clock.nanoTime() + nanos;
                clock.advance(nanos + coreTakenNanos);
            } else {
                long lateNanos = isUnsteady ? parks % 20 * 10_000 : oversleepNanos;
                clock.advance(nanos + Math.max(lateNanos, -nanos / 2));
            }
        }

        @Override
        public void spin() {
            spins++;
            clock.advance(Math.max(SPIN_NANOS, lostNanos));
        }

        @Override
        public void allow(boolean isAllowed) {
            allowed.add(isAllowed);
            isForbidden = !isAllowed;
        }
    }
}
