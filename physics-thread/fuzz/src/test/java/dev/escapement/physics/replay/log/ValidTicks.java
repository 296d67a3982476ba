package dev.escapement.physics.replay.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.replay.format.LogReader;
import dev.escapement.physics.replay.format.LoggedTick;
import dev.escapement.physics.replay.format.TickDecoder;
import dev.escapement.physics.restore.BodyStates;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import java.io.IOException;
import java.util.List;

/** Checks that a log which was accepted says nothing that a run could not have done. */
final class ValidTicks {

    private ValidTicks() {}

    static void check(InputLog log, int logBytes) throws IOException {
        long ticks = log.firstTick() - 1;
        long number = ticks;
        try (LogReader reader = log.reader()) {
            while (reader.next()) {
                ticks++;
                assertThat(reader.tick().published).isEqualTo(ticks);
                assertThat(reader.tick().number)
                        .isEqualTo(reader.tick().wentBackTo < 0 ? number + 1 : reader.tick().wentBackTo + 1);
                number = reader.tick().number;
                check(reader.tick(), logBytes);
                compare(log, reader.tick());
            }
        }
        assertThat(ticks).isEqualTo(log.lastTick());
    }

    private static void check(LoggedTick tick, int logBytes) {
        InputFrame input = tick.input();
        assertThat(input.lengthNanos()).isPositive();
        assertThat(tick.budgetUsed).isFinite();
        assertThat(input.size() * (long) TickDecoder.MIN_EVENT_BYTES).isLessThan(logBytes);
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

    /** With a state that is another one. */
    private static void compare(InputLog log, LoggedTick tick) {
        ReplayCheck check = new ReplayCheck(log, new NoBodies(log.settings()));
        check.check(tick, ~tick.stateHash);
        assertThat(check.divergence().orElseThrow().toString()).startsWith("tick " + tick.number + ": ");
    }

    private record NoBodies(String settings) implements BodyStates {

        @Override
        public int bodyCount() {
            return 0;
        }

        @Override
        public List<String> stateComponents() {
            return List.of();
        }

        @Override
        public void readState(int body, long[] bits, int at) {
            // there is none
        }
    }
}
