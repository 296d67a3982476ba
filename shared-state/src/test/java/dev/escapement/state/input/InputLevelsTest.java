package dev.escapement.state.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.state.time.ManualClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where in a tick events happened, what they hold, and what becomes of them while time stands still. */
class InputLevelsTest {

    private final ManualClock clock = new ManualClock(0);
    private final InputRing ring = new InputRing(16, clock);
    private final InputSampler sampler = new InputSampler(ring);

    @Test
    void shouldNotLoseItsRoomWhenTheListenerThrows() {
        for (int round = 0; round < 40; round++) {
            offer(round, InputKind.APPLICATION, 1);
            long now = round;
            assertThatIllegalStateException()
                    .isThrownBy(() -> sampler.drainWhilePaused(now, (event, state) -> {
                        throw new IllegalStateException("menu");
                    }));
        }
        assertThat(ring.rejected()).isZero();
        assertThat(sampler.pending()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "KEY_DOWN, -1, 'KEY_DOWN: key codes are 0 to 511, but the code is -1'",
        "KEY_UP, 512, 'key codes are 0 to 511, but the code is 512'",
        "POINTER_DOWN, 64, 'pointer button codes are 0 to 63'",
        "BUTTON_UP, 1024, 'controller button codes are 0 to 1023'",
        "AXIS_MOVED, 256, 'controller axis codes are 0 to 255'",
    })
    void shouldRefuseCodesThatDoNotExist(InputKind kind, int code, String says) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> offer(1, kind, code))
                .withMessageContaining(says);
        assertThat(ring.accepted()).isZero();
    }

    private void offer(long timeNanos, InputKind kind, int code) {
        assertThat(ring.offer(timeNanos, kind, code, 0, 0)).isTrue();
    }
}
