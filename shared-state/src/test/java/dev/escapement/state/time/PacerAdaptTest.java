package dev.escapement.state.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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
        pacer.adapt(60_000, null);
        awaitTicks(1);
        timer.spunNanos = 0;
        awaitTicks(1);
        assertThat(timer.spunNanos).isBetween(50_000L, 60_000L);
    }

    /** So it pays for the usual oversleep, not for the longest. */
    @Test
    void shouldWakeInTimeThreeTimesOfFourOnceItIsTold() {
        pacer.adapt(60_000, null);
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
    void shouldNeverQueueUnasked() {
        timer.coreTakenNanos = 2_000_000;
        awaitTicks(10);
        assertThat(timer.changes).isEmpty();
    }

    /** Costs a wake-up, so only one of seven waits finds out whether others want the core. */
    @Test
    void shouldQueueNowAndThenOnAnIdleCore() {
        pacer.adapt(60_000, timer);
        timer.coreTakenNanos = 400_000; // a virtual machine's host took the core
        awaitTicks(70);
        assertThat(timer.changes).hasSize(2 * 10);
    }

    @Test
    void shouldQueueBeforeEachDeadlineWhileOthersWantTheCore() {
        contend();
        for (int i = 0; i < 3; i++) {
            long startNanos = clock.nanoTime();
            awaitTicks(1);
            assertThat(timer.forbiddenNanos - startNanos)
                    .as("asked while it still runs")
                    .isZero();
            assertThat(timer.queuedNanos - startNanos)
                    .as("wakes before the deadline by a lead")
                    .isEqualTo(TICK_NANOS - QueuedWait.LEAD_NANOS);
            assertThat(timer.lateNanos).as("gets its core in time").isLessThanOrEqualTo(SPIN_NANOS);
        }
        assertThat(timer.changes)
                .as("and preempts again at the deadline")
                .containsExactly(false, true, false, true, false, true);
    }

    /** That time is no oversleep of the timer. */
    @Test
    void shouldLearnNoMarginFromWaitingForTheCore() {
        pacer.adapt(60_000, timer);
        awaitTicks(200); // on time, so that the margin becomes the shortest
        assertThat(pacer.marginNanos()).isEqualTo(Pacer.MIN_MARGIN_NANOS);
        timer.coreTakenNanos = 4_000_000;
        awaitTicks(100);
        assertThat(pacer.marginNanos()).isEqualTo(Pacer.MIN_MARGIN_NANOS);
    }

    @Test
    void shouldNotQueueWithoutTimeForIt() {
        contend();
        pacer.awaitUntil(clock.nanoTime() + QueuedWait.LEAD_NANOS);
        assertThat(timer.changes).isEmpty();
        pacer.awaitUntil(clock.nanoTime() + QueuedWait.LEAD_NANOS + 1);
        assertThat(timer.changes).containsExactly(false, true);
    }

    @Test
    void shouldForgetAfterAWhileThatOthersWantedTheCore() {
        pacer.adapt(60_000, timer);
        timer.coreTakenNanos = 600_000;
        awaitTicks(QueuedWait.WAITS_BETWEEN_PROBES);
        timer.coreTakenNanos = 0;
        clock.advance(QueuedWait.CONTENDED_FOR_NANOS);
        timer.changes.clear();
        awaitTicks(QueuedWait.WAITS_BETWEEN_PROBES - 1);
        assertThat(timer.changes).isEmpty();
    }

    /** The thread must not be left without preemption, and the wait ends at once. */
    @Test
    void shouldAllowPreemptionAgainIfItIsCancelledWhileItQueues() {
        contend();
        timer.cancels = true;
        assertThat(pacer.awaitUntil(clock.nanoTime() + TICK_NANOS)).isFalse();
        assertThat(timer.changes).containsExactly(false, true);
        assertThat(timer.parks).as("not a second time").isEqualTo(1);
    }

    /** Else what rests for an hour would hear a signal 5 ms before the hour ends. */
    @Test
    void shouldHearASignalWhileItQueues() {
        contend();
        timer.signals = true;
        long startNanos = clock.nanoTime();
        assertThat(pacer.awaitUntilOrSignal(startNanos + 3_600_000_000_000L)).isTrue();
        assertThat(clock.nanoTime() - startNanos).isEqualTo(SimulatedTimer.SIGNAL_NANOS);
        assertThat(timer.changes).containsExactly(false, true);
        timer.signals = false;
        timer.changes.clear();
        awaitTicks(1);
        assertThat(timer.changes).as("still contended, for it was not late").hasSize(2);
    }

    /** Lets it find out that others want the core. */
    private void contend() {
        pacer.adapt(60_000, timer);
        timer.coreTakenNanos = 4_000_000;
        awaitTicks(QueuedWait.WAITS_BETWEEN_PROBES);
        timer.changes.clear();
    }

    private void awaitTicks(int count) {
        for (int i = 0; i < count; i++) {
            long deadline = clock.nanoTime() + TICK_NANOS;
            pacer.awaitUntil(deadline);
            timer.lateNanos = clock.nanoTime() - deadline;
        }
    }

    /** Time passes only here. A thread that must not preempt waits for its core when it wakes. */
    private final class SimulatedTimer implements Waiter, Pacer.WakeupPreemption {

        private static final long SIGNAL_NANOS = 1_000;

        private final List<Boolean> changes = new ArrayList<>();
        private long oversleepNanos;
        private long coreTakenNanos;
        private long spunNanos;
        private long lateNanos;
        private long forbiddenNanos;
        private long queuedNanos;
        private int parks;
        private boolean isForbidden;
        private boolean cancels;

        /** Whether a park ends by a signal. */
        private boolean signals;

        @Override
        public void park(long nanos) {
            parks = cancels ? parks + 1 : 0;
            if (cancels) {
                pacer.cancel();
            }
            if (signals) {
                pacer.signal();
                clock.advance(SIGNAL_NANOS);
            } else if (isForbidden) {
                queuedNanos = clock.nanoTime() + nanos;
                clock.advance(nanos + coreTakenNanos);
            } else {
                clock.advance(nanos + oversleepNanos);
            }
        }

        @Override
        public void spin() {
            spunNanos += SPIN_NANOS;
            clock.advance(SPIN_NANOS);
        }

        @Override
        public void allow(boolean allowed) {
            changes.add(allowed);
            isForbidden = !allowed;
            forbiddenNanos = allowed ? forbiddenNanos : clock.nanoTime();
        }
    }
}
