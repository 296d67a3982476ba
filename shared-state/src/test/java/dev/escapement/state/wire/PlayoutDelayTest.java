package dev.escapement.state.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlayoutDelayTest {

    private static final long MARGIN = 3;

    /** The clocks of two machines begin anywhere. */
    @Test
    void shouldSortDelaysThatWrap() {
        PlayoutDelay delay = new PlayoutDelay(0.99, MARGIN, 1000);
        for (int tick = 0; tick < 48; tick++) {
            delay.arrived(tick, Long.MIN_VALUE, tick - 20, true);
        }
        assertThat(delay.leastNanos()).isEqualTo(Long.MAX_VALUE - 19);
        assertThat(delay.nanos() - delay.leastNanos()).isEqualTo(47 + MARGIN);
    }
}
