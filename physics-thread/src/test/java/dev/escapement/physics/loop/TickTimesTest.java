package dev.escapement.physics.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import org.junit.jupiter.api.Test;

/** What counts as the work of a tick. Steps take 2 ms at 100 Hz. */
class TickTimesTest {

    private static final long MILLI = 1_000_000;

    private final TickSchedule schedule = new TickSchedule(TickRate.hertz(100), LateTicks.dilate(), 1);
    private final MeasuredTimes times = new MeasuredTimes();
    private long now;

    private void tick() {
        now = Math.max(now, schedule.nextDueNanos());
        times.begin(now, schedule);
        now += 2 * MILLI;
        times.publishing(now, times.tick, schedule);
        schedule.finish(now, times.workNanos);
        times.endedNanos = now;
    }

    /** A listener that throws: a driver that its caller runs goes on. */
    @Test
    void shouldNotCountLessThanNoWorkAfterATickThatDidNotEnd() {
        schedule.start(0, TimeScale.ONE);
        tick();
        now = schedule.nextDueNanos();
        times.begin(now, schedule);
        times.publishing(now + 3 * MILLI, times.tick, schedule);
        schedule.finish(now + 3 * MILLI, times.workNanos);
        tick();
        assertThat(times.workNanos).isEqualTo(2 * MILLI);
    }
}
