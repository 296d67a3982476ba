package dev.escapement.physics.replay.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.replay.format.LogReader;
import dev.escapement.physics.replay.format.LoggedTick;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import java.io.IOException;

/** Checks that the ticks of an accepted log are possible in a run. */
final class ValidTicks {

    private ValidTicks() {}

    static void check(InputLog log, int logBytes) throws IOException {
        long ticks = log.firstTick() - 1;
        long number = ticks;
        try (LogReader reader = log.reader()) {
            while (reader.next()) {
                ticks++;
                assertThat(reader.tick().position).isEqualTo(ticks);
                assertThat(reader.tick().number)
                        .isEqualTo(reader.tick().wentBackTo < 0 ? number + 1 : reader.tick().wentBackTo + 1);
                number = reader.tick().number;
                check(reader.tick(), logBytes);
            }
        }
        assertThat(ticks).isEqualTo(log.lastPosition());
    }

    private static void check(LoggedTick tick, int logBytes) {
        InputFrame input = tick.input();
        assertThat(input.lengthNanos()).isPositive();
        assertThat(tick.budgetUsed).isFinite();
        assertThat(input.size() * (5L + 2 * Float.BYTES)).isLessThan(logBytes);
        long beforeNanos = input.size() == 0 ? 0 : input.event(0).timeNanos();
        long beforeOffsetNanos = 0;
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            assertThat(event.kind().isPossible(event.sender(), event.code())).isTrue();
            assertThat(event.timeNanos() - beforeNanos).as("by time").isNotNegative();
            assertThat(event.offsetNanos()).isBetween(beforeOffsetNanos, event.isLate() ? 0 : input.lengthNanos());
            beforeNanos = event.timeNanos();
            beforeOffsetNanos = event.offsetNanos();
        }
    }
}
