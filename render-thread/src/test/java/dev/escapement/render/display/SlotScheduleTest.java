package dev.escapement.render.display;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Waiter;
import org.junit.jupiter.api.Test;

class SlotScheduleTest {

    private static final TickRate FPS = TickRate.hertz(144);
    private static final long START = Long.MAX_VALUE - 10_000_000; // wraps during the test

    private final ManualClock clock = new ManualClock(START);
    private final SlotSchedule schedule = new SlotSchedule(FPS, clock, new Waiter() {
        @Override
        public void park(long nanos) {
            clock.advance(nanos);
        }

        @Override
        public void spin() {
            clock.advance(50);
        }
    });

    @Test
    void shouldKeepTheGridAndCountMissedSlots() {
        assertFrame(1, 0);
        assertFrame(2, 0);
        clock.advance(FPS.nanosAt(3) + 1); // just after slot 5
        assertFrame(6, 3);
        clock.advance(1_000_000);
        assertFrame(7, 3);
        clock.advance(START + FPS.nanosAt(8) - clock.nanoTime()); // to the exact instant
        assertFrame(8, 3);
    }

    @Test
    void shouldEndWhenCancelledAndCountTheLastFrameToo() {
        assertFrame(1, 0);
        clock.advance(FPS.nanosAt(3));
        schedule.pacer.cancel();
        assertThat(schedule.awaitFrame()).isFalse();
        assertThat(schedule.missedSlots).isEqualTo(2);
    }

    private void assertFrame(long slot, long missed) {
        assertThat(schedule.awaitFrame()).isTrue();
        assertThat(schedule.targetNanos).isEqualTo(START + FPS.nanosAt(slot));
        assertThat(schedule.displayNanos).isEqualTo(schedule.targetNanos);
        assertThat(clock.nanoTime() - schedule.targetNanos).as("not before").isBetween(0L, 50L);
        assertThat(schedule.missedSlots).isEqualTo(missed);
    }
}
