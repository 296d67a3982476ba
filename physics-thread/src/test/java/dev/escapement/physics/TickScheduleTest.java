package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.time.TickRate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TickScheduleTest {

    private static final long TICK_NANOS = 10_000_000;

    @ParameterizedTest
    @CsvSource({
        // when tick 1, due at 10 ms, was published; ticks given up; when tick 2 is due
        "10000001, 0, 20000000",
        "20000000, 0, 20000000",
        "20000001, 1, 30000000",
        "30000000, 1, 30000000",
        "35000000, 2, 40000000",
        "600000000000, 59998, 600000000000",
    })
    void shouldGiveUpMissedDeadlinesAndKeepThePhase(long publishedNanos, long givenUp, long nextDueNanos) {
        TickSchedule schedule = new TickSchedule(TickRate.hertz(100), true);
        schedule.start(0);
        schedule.finish(publishedNanos);
        assertThat(schedule.nextTick()).isEqualTo(2);
        assertThat(schedule.givenUpTicks()).isEqualTo(givenUp);
        assertThat(schedule.nextDueNanos()).isEqualTo(nextDueNanos);
    }

    @Test
    void shouldGiveNothingUpWhenToldSo() {
        TickSchedule schedule = new TickSchedule(TickRate.hertz(100), false);
        schedule.start(0);
        schedule.finish(100 * TICK_NANOS);
        assertThat(schedule.givenUpTicks()).isZero();
        assertThat(schedule.nextDueNanos()).isEqualTo(2 * TICK_NANOS);
    }

    @Test
    void shouldAccountForEveryDeadline() {
        TickSchedule schedule = new TickSchedule(TickRate.parse("60000/1001"), true);
        TickRate rate = TickRate.parse("60000/1001");
        schedule.start(1_000);
        for (int i = 1; i < 10_000; i++) {
            schedule.finish(schedule.nextDueNanos() + i % 97 * 1_000_000L);
            long deadline = schedule.nextTick() + schedule.givenUpTicks();
            assertThat(schedule.nextDueNanos()).isEqualTo(1_000 + rate.nanosAt(deadline));
        }
    }

    @Test
    void shouldAccountForWhatWillNeverRun() {
        TickSchedule schedule = new TickSchedule(TickRate.hertz(100), true);
        schedule.start(0);
        schedule.finish(TICK_NANOS + 1);
        schedule.end(TICK_NANOS + 2);
        assertThat(schedule.givenUpTicks()).isZero();
        schedule.end(3 * TICK_NANOS + 1);
        assertThat(schedule.givenUpTicks()).isEqualTo(2);
    }

    @Test
    void shouldCountNothingWhenItEndsBeforeItsTime() {
        TickSchedule schedule = new TickSchedule(TickRate.hertz(100), true);
        schedule.start(0);
        schedule.finish(TICK_NANOS);
        schedule.end(1);
        assertThat(schedule.givenUpTicks()).isZero();
    }
}
