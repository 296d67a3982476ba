package dev.escapement.state.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlayoutDelayTest {

    private static final long MARGIN = 3;

    /** The delays wrap around Long.MAX_VALUE, because the clocks of two machines begin anywhere. */
    @Test
    void shouldSortDelaysThatWrap() {
        PlayoutDelay delay = new PlayoutDelay(0.99, MARGIN, 1000);
        for (int tick = 0; tick < 48; tick++) {
            delay.arrived(tick, Long.MIN_VALUE, tick - 20, true);
        }
        assertThat(delay.leastNanos()).isEqualTo(Long.MAX_VALUE - 19);
        assertThat(delay.nanos() - delay.leastNanos()).isEqualTo(47 + MARGIN);
    }

    /**
     * A long delay counts while it is among the samples. Once it is forgotten, the playout delay falls no faster than ticks can catch up,
     * so that no tick is left out.
     */
    @Test
    void shouldBecomeYoungAgainSlowlyAfterAHold() {
        PlayoutDelay delay = new PlayoutDelay(0.99, MARGIN, 250 * RemoteRig.MILLI);
        long periodNanos = 10 * RemoteRig.MILLI;
        long before = 0;
        long largestFall = 0;
        for (int tick = 0; tick < 2000; tick++) {
            long lateNanos = tick >= 200 && tick < 220 ? (220 - tick) * periodNanos : 0;
            delay.arrived(tick, tick * periodNanos, tick * periodNanos + lateNanos, true);
            largestFall = tick < 200 ? 0 : Math.max(largestFall, before - delay.nanos());
            before = delay.nanos();
            if (tick == 700) {
                assertThat(delay.nanos()).isGreaterThan(100 * RemoteRig.MILLI);
            }
        }
        assertThat(largestFall).isBetween(1L, 5 * RemoteRig.MILLI);
        assertThat(delay.nanos()).isEqualTo(MARGIN);
    }

    /** The sender's clock is set ahead by 600 ms. The receiver forgets the old delays, so that ticks are on time at once. */
    @Test
    void shouldForgetTheDelaysOfAnotherClock() {
        PlayoutDelay delay = new PlayoutDelay(0.99, MARGIN, 250 * RemoteRig.MILLI);
        long periodNanos = 10 * RemoteRig.MILLI;
        for (int tick = 0; tick < 240; tick++) {
            long aheadNanos = tick < 200 ? 0 : 600 * RemoteRig.MILLI;
            delay.arrived(tick, tick * periodNanos + aheadNanos, tick * periodNanos, true);
        }
        assertThat(delay.nanos()).isEqualTo(MARGIN - 600 * RemoteRig.MILLI);
    }
}
