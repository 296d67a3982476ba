package dev.escapement.render.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Compares the measured unevenness with numbers computed by hand. */
class UnevennessTest {

    private static final long MILLI = 1_000_000;
    private static final Offset<Double> EXACT = within(1e-9);

    private final Unevenness unevenness = new Unevenness();
    private long shown;
    private long displayed;

    /** One of 100 frames stands still. The mean way is 9.9 ms, and each of the other frames, of 10 ms, exceeds it by 1/99. */
    @Test
    void shouldSayWhatAHundredthOfTheFramesExceeds() {
        frames(99, 10 * MILLI, 10 * MILLI);
        frame(0, 10 * MILLI);
        assertThat(unevenness.standingFrames()).isEqualTo(1);
        assertThat(unevenness.mean()).isCloseTo(0.02, EXACT);
        assertThat(unevenness.percentile(99)).isCloseTo(1 / 99.0, EXACT);
        assertThat(unevenness.percentile(99.1)).isCloseTo(1, EXACT);
        frame(0, 10 * MILLI);
        assertThat(unevenness.percentile(99)).isCloseTo(1, EXACT);
    }

    /** The picture advances by 20 ms in each interval, where a viewer expects 10 ms in the short and 30 ms in the long ones. */
    @Test
    void shouldSeeEqualWaysInUnequalIntervals() {
        frame(0, 0);
        for (int frame = 0; frame < 100; frame++) {
            frame(20 * MILLI, (frame % 2 == 0 ? 10 : 30) * MILLI);
        }
        assertThat(unevenness.mean()).isCloseTo(2 / 3.0, EXACT);
        assertThat(unevenness.percentile(50)).isCloseTo(1 / 3.0, EXACT);
        assertThat(unevenness.percentile(100)).isCloseTo(1, EXACT);
    }

    /** Changes between 100 and 84 or 119 exceed 15 % of the larger number. Changes between 100 and 86 or 116 do not. */
    @Test
    void shouldCountAbruptChangesOfSpeed() {
        frame(0, 0);
        for (int way : new int[] {100, 84, 100, 86, 100, 116, 100, 119, 100, 100}) {
            frame(way, 100);
        }
        assertThat(unevenness.abruptFrames()).isEqualTo(4);
    }

    /** The picture advances by 108 ms in the eleven frames that count, and by 8 ms in the last. The frame of 2 ms is replaced. */
    @Test
    void shouldNotMeasureAFrameThatReplacesAnother() {
        frames(10, 10 * MILLI, 10 * MILLI);
        frame(2 * MILLI, 0);
        frame(8 * MILLI, 10 * MILLI);
        assertThat(unevenness.count()).isEqualTo(11);
        assertThat(unevenness.percentile(100)).isCloseTo(1 - 8 / (108 / 11.0), EXACT);
    }

    /** After a pause the speed is doubled; both stretches are even. Then a pause lasts until the end. */
    @Test
    void shouldKnowNoOtherStretch() {
        frames(100, 10 * MILLI, 10 * MILLI);
        unevenness.restart();
        frames(100, 20 * MILLI, 10 * MILLI);
        assertThat(unevenness.count()).isEqualTo(200);
        assertThat(unevenness.percentile(100)).isCloseTo(0, EXACT);
        unevenness.restart();
        frames(100, 0, 10 * MILLI);
        assertThat(unevenness.count()).as("nothing moved").isEqualTo(200);
        assertThat(unevenness.mean()).isCloseTo(0, EXACT);
        assertThat(unevenness.abruptFrames()).isZero();
    }

    @Test
    void shouldKeepWhatOtherStretchesHad() {
        frame(0, 0);
        frame(5 * MILLI, 10 * MILLI);
        frame(15 * MILLI, 10 * MILLI);
        unevenness.restart();
        frame(-500 * MILLI, 3 * MILLI); // the first frame of another stretch
        frames(2, 10 * MILLI, 10 * MILLI);
        assertThat(unevenness.count()).isEqualTo(4);
        assertThat(unevenness.mean()).isCloseTo(0.25, EXACT);
        assertThat(unevenness.abruptFrames()).isEqualTo(1);
    }

    @Test
    void shouldForgetAWarmUpButNotItsLastFrame() {
        frame(0, 0);
        frame(5 * MILLI, 10 * MILLI);
        frame(0, 10 * MILLI);
        unevenness.restart();
        frame(0, 10 * MILLI);
        frame(15 * MILLI, 10 * MILLI);
        unevenness.reset();
        assertThat(unevenness.count() + unevenness.mean() + unevenness.percentile(99))
                .isZero();
        assertThat(unevenness.abruptFrames() + unevenness.standingFrames()).isZero();
        frame(10 * MILLI, 10 * MILLI);
        assertThat(unevenness.count()).isEqualTo(1);
        assertThat(unevenness.mean()).isCloseTo(0, EXACT);
        assertThat(unevenness).asString().isEqualTo("Unevenness[mean 0.0 %, p99 0.0 %, 1 frames]");
    }

    private void frames(int count, long way, long interval) {
        frame(0, 0);
        for (int frame = 0; frame < count; frame++) {
            frame(way, interval);
        }
    }

    private void frame(long way, long interval) {
        shown += way;
        displayed += interval;
        unevenness.frame(shown, displayed);
    }
}
