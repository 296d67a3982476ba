package dev.escapement.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.Waiter;
import org.junit.jupiter.api.Test;

class TimerResolutionTest {

    private static final long FINE_PARK_NANOS = 60_000;

    // Powers of two, so that interrupts keep their period while the clock wraps.
    private static final long PERIOD_NANOS = 1 << 20;
    private static final long LONG_PERIOD_NANOS = 1 << 24;

    private final ManualClock time = new ManualClock(Long.MAX_VALUE - 1_000_000);
    private final SimulatedTimer timer = new SimulatedTimer();
    private long stepNanos = 20;
    private long reads;

    @Test
    void shouldMeasureAFineTimer() {
        TimerResolution resolution = TimerResolution.measure(this::read, timer);

        assertThat(resolution.clockStepNanos()).isEqualTo(20);
        assertThat(resolution.shortestParkNanos()).isBetween(FINE_PARK_NANOS, FINE_PARK_NANOS + 1000);
        assertThat(reads).as("a good machine is not kept waiting").isLessThan(100);
    }

    @Test
    void shouldFindAClockThatMovesInLargeSteps() {
        stepNanos = 15_625_000;
        TimerResolution resolution = TimerResolution.measure(this::read, timer);

        assertThat(resolution.clockStepNanos()).isEqualTo(15_625_000);
    }

    @Test
    void shouldNotBeDeceivedByAFirstParkThatEndsByLuckWithAPeriod() {
        timer.interruptPeriodNanos = PERIOD_NANOS;
        time.advance(PERIOD_NANOS - 30_000 - Math.floorMod(time.nanoTime(), PERIOD_NANOS)); // 30 us before an interrupt
        TimerResolution resolution = TimerResolution.measure(time, timer);

        assertThat(resolution.shortestParkNanos()).isEqualTo(PERIOD_NANOS);
    }

    @Test
    void shouldNotBeDeceivedByOneLatePark() {
        timer.thirdIsLateByNanos = 5_000_000;
        assertThat(TimerResolution.measure(this::read, timer).shortestParkNanos())
                .isLessThan(FINE_PARK_NANOS + 1000);
    }

    @Test
    void shouldSoonRefuseAClockThatStandsStill() {
        stepNanos = 0;
        timer.parkNanos = 0;
        TimerResolution resolution = TimerResolution.measure(this::read, timer);

        assertThat(resolution.clockStepNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(reads).isBetween(1000L, 1_001_000L);
    }

    @Test
    void shouldEndAfterSomePeriodsOfASlowTimer() {
        timer.interruptPeriodNanos = LONG_PERIOD_NANOS;
        TimerResolution.measure(this::read, timer);

        assertThat(timer.parks).isLessThanOrEqualTo(3);
    }

    @Test
    void shouldMeasureThoughInterruptedAndKeepTheInterrupt() {
        Thread.currentThread().interrupt();
        TimerResolution resolution = TimerResolution.measure(this::read, timer);

        assertThat(Thread.interrupted()).as("the interrupt is not lost").isTrue();
        assertThat(resolution.shortestParkNanos()).isGreaterThanOrEqualTo(FINE_PARK_NANOS);
    }

    @Test
    void shouldMeasureThisJvmOnce() {
        assertThat(TimerResolution.ofThisJvm()).isSameAs(TimerResolution.ofThisJvm());
    }

    /** A clock that a read moves, as a real one moves between reads, by a step at every fourth. */
    private long read() {
        if (++reads % 4 == 0) {
            time.advance(stepNanos);
        }
        return time.nanoTime();
    }

    /** Wakes after a constant time, or at the next interrupt of a periodic timer. */
    private final class SimulatedTimer implements Waiter {

        private long parkNanos = FINE_PARK_NANOS;
        private long interruptPeriodNanos;
        private long thirdIsLateByNanos;
        private int parks;

        @Override
        public void park(long nanos) {
            parks++;
            if (Thread.currentThread().isInterrupted()) {
                return; // as parkNanos does
            }
            if (interruptPeriodNanos > 0) {
                time.advance(interruptPeriodNanos - Math.floorMod(time.nanoTime(), interruptPeriodNanos));
            } else {
                time.advance(parkNanos + (parks == 3 ? thirdIsLateByNanos : 0));
            }
        }

        @Override
        public void spin() {
            throw new AssertionError("nothing is to be spun for");
        }
    }
}
