package dev.escapement.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.time.ManualClock;
import org.junit.jupiter.api.Test;

class SteadyClockTest {

    private static final long SECOND = 1_000_000_000L;

    private final ManualClock machine = new ManualClock(77);
    private final SteadyClock clock = new SteadyClock(machine::nanoTime, () -> 1_000_000_000_000L);

    @Test
    void shouldFollowTheMachinesTimeWhileRead() {
        long before = clock.nanoTime();
        for (int i = 0; i < 100; i++) {
            machine.advance(SteadyClock.MAX_JUMP_NANOS);
            assertThat(clock.nanoTime() - before).isEqualTo((i + 1) * SteadyClock.MAX_JUMP_NANOS);
        }
        assertThat(clock.time()).isEqualTo(1_000_000_030_000L);
    }

    /** The machine's clock is set forward. A driver on that clock would then consider its clients dead. */
    @Test
    void shouldIgnoreASetClock() {
        long[] machineMillis = {1_000_000_000_000L};
        SteadyClock set = new SteadyClock(machine::nanoTime, () -> machineMillis[0]);
        machineMillis[0] += 3_600_000;
        assertThat(set.time()).isEqualTo(1_000_000_000_000L);
    }

    /** A process is stopped for a day. For the driver, it was silent for less than half a second. */
    @Test
    void shouldStandStillWhileTheProcessDoes() {
        long before = clock.nanoTime();
        long beforeMillis = clock.time();
        machine.advance(86_400 * SECOND);
        assertThat(clock.nanoTime() - before).isEqualTo(SteadyClock.MAX_JUMP_NANOS);
        assertThat(clock.nanoTime() - before).isEqualTo(SteadyClock.MAX_JUMP_NANOS);
        machine.advance(1000);
        assertThat(clock.nanoTime() - before).isEqualTo(SteadyClock.MAX_JUMP_NANOS + 1000);
        assertThat(clock.time() - beforeMillis).isEqualTo(300);
    }
}
