package dev.escapement.physics.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.state.thread.ThreadTimes;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What counts as the work of a tick, and what as a wait for a core. Steps take 2 ms at 100 Hz. */
class TickTimesTest {

    private static final long MILLI = 1_000_000;

    private final TickSchedule schedule = new TickSchedule(TickRate.hertz(100), LateTicks.dilate(), 3, 1);
    private final MeasuredTimes times = new MeasuredTimes(false);
    private long now;
    private long waited;

    private void tick(long waitMillis) {
        now = Math.max(now, schedule.nextDueNanos());
        times.begin(now, schedule, ThreadTimes.notCounted());
        waited += waitMillis * MILLI;
        now += (2 + waitMillis) * MILLI;
        times.publishing(now, times.tick, schedule, () -> waited);
        schedule.finish(now, times.workNanos, times.waitedNanos);
        times.endedNanos = now;
    }

    /** A light tick between two waits must not end the counting: 23 ms without a core twice in a second. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldTakeOffWaitsThatLightTicksSeparate(long apart) {
        schedule.start(0, TimeScale.ONE);
        for (int i = 0; i < 1000; i++) {
            tick(i % 100 == 40 || i % 100 == 40 + apart ? 23 : 0);
            assertThat(times.waitedNanos).isEqualTo(i % 100 == 40 + apart ? 23 * MILLI : 0);
        }
        assertThat(schedule.slowedNanos()).isZero();
    }

    /** A listener that throws: a driver that its caller runs goes on. */
    @Test
    void shouldNotCountLessThanNoWorkAfterATickThatDidNotEnd() {
        schedule.start(0, TimeScale.ONE);
        tick(0);
        now = schedule.nextDueNanos();
        times.begin(now, schedule, ThreadTimes.notCounted());
        times.publishing(now + 3 * MILLI, times.tick, schedule, () -> waited);
        schedule.finish(now + 3 * MILLI, times.workNanos, times.waitedNanos);
        tick(0);
        assertThat(times.workNanos).isEqualTo(2 * MILLI);
    }
}
