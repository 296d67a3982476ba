package dev.escapement.render.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Series whose unevenness is computed by hand. */
class UnevennessTest {

    private static final long MILLI = 1_000_000;
    private static final Offset<Double> EXACT = within(1e-9);

    private final Unevenness unevenness = new Unevenness();
    private long shown;
    private long displayed;

    @ParameterizedTest
    @ValueSource(longs = {1, 3, 1_000, 6_944, 100_000})
    void shouldBeNothingWhereEveryFrameGoesEquallyFar(long thousandths) {
        frames(1_000, 7 * thousandths, 1_000_000);
        assertThat(unevenness.count()).isEqualTo(1_000);
        assertThat(unevenness.mean()).isCloseTo(0, EXACT);
        assertThat(unevenness.percentile(100)).isCloseTo(0, EXACT);
        assertThat(unevenness.abruptFrames()).isZero();
    }

    /** Ways of 5, 15 and 10 ms: the mean is 10, the differences from it are 1/2, 1/2 and 0. */
    @Test
    void shouldMeasureByHowMuchWaysDifferFromTheMeanWay() {
        frame(0, 0);
        frame(5 * MILLI, 10 * MILLI);
        frame(15 * MILLI, 10 * MILLI);
        frame(10 * MILLI, 10 * MILLI);
        assertThat(unevenness.count()).isEqualTo(3);
        assertThat(unevenness.mean()).isCloseTo(1 / 3.0, EXACT);
        assertThat(unevenness.percentile(99)).isCloseTo(0.5, EXACT);
        assertThat(unevenness.percentile(33)).isCloseTo(0, EXACT);
    }

    /** Speed is not unevenness: half the way in every frame changes nothing. */
    @Test
    void shouldNotDependOnTheSpeedOfTime() {
        frame(0, 0);
        frame(2 * MILLI, 10 * MILLI);
        frame(6 * MILLI, 10 * MILLI);
        assertThat(unevenness.mean()).isCloseTo(0.5, EXACT);
    }

    /** Of 100 frames one stands still: the mean way is 9.9 of 10, the others are 1/99 beyond it. */
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

    /** A slot is missed now and then, and the picture goes as far as the time is long. */
    @Test
    void shouldExpectALongerWayWhereAFrameIsShownLonger() {
        frame(0, 0);
        for (int frame = 0; frame < 100; frame++) {
            long slots = frame % 3 + 1L;
            frame(7 * slots * MILLI, 7 * slots * MILLI);
        }
        assertThat(unevenness.mean()).isCloseTo(0, EXACT);
        assertThat(unevenness.percentile(100)).isCloseTo(0, EXACT);
    }

    /** Equal ways in intervals of 10 and 30 ms: 20 ms instead of 10, and 20 instead of 30. */
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

    /** Small differences are seen, too: 0.4 % more and less. */
    @Test
    void shouldResolveTenthsOfAPercent() {
        frame(0, 0);
        for (int frame = 0; frame < 100; frame++) {
            frame(frame % 2 == 0 ? 6_972_000 : 7_028_000, 10 * MILLI);
        }
        assertThat(unevenness.mean()).isCloseTo(0.004, within(1e-6));
        assertThat(unevenness.abruptFrames()).isZero();
    }

    /** A picture that goes back, by 10 of a mean way of 10. */
    @Test
    void shouldMeasureAWayBack() {
        frames(3, 15 * MILLI, 10 * MILLI);
        frame(-5 * MILLI, 10 * MILLI);
        assertThat(unevenness.mean()).isCloseTo(0.75, EXACT);
        assertThat(unevenness.percentile(100)).isCloseTo(1.5, EXACT);
    }

    /** 84 is 16 % less than 100, 86 is 14 % less; 116 is less than 15 % of itself beyond 100, 119 is not. */
    @Test
    void shouldCountAbruptChangesOfSpeed() {
        frame(0, 0);
        for (int way : new int[] {100, 84, 100, 86, 100, 116, 100, 119, 100, 100}) {
            frame(way, 100);
        }
        assertThat(unevenness.abruptFrames()).isEqualTo(4);
    }

    /** Of 108 ms in eleven frames, the last one has 8. */
    @Test
    void shouldNotMeasureAFrameThatReplacesAnother() {
        frames(10, 10 * MILLI, 10 * MILLI);
        frame(2 * MILLI, 0);
        frame(8 * MILLI, 10 * MILLI);
        assertThat(unevenness.count()).isEqualTo(11);
        assertThat(unevenness.percentile(100)).isCloseTo(1 - 8 / (108 / 11.0), EXACT);
    }

    /** Twice the speed after a pause, both even; and then a pause until the end. */
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
        frame(-500 * MILLI, 3 * MILLI); // the first of another stretch
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

    /** Every second tick of 10 ms is skipped, the picture follows the timeline exactly: 100 % in each frame, and no animation error. */
    @Test
    void shouldSeeWhatATimelineThatStandsHides() {
        AnimationError error = new AnimationError("slot");
        Timeline timeline = new Timeline(TickRate.hertz(100));
        timeline.start(0);
        for (long tick = 1; tick < 200; tick++) {
            timeline.skip(tick, 1); // from 10 to 20 ms, from 30 to 40, ...
            for (long nanos = (2 * tick - 1) * 10 * MILLI; nanos < (2 * tick + 1) * 10 * MILLI; nanos += 5 * MILLI) {
                error.frame(timeline.simNanosAt(nanos), timeline, nanos);
                unevenness.frame(timeline.simNanosAt(nanos), nanos);
            }
        }
        assertThat(error.count()).isGreaterThan(700);
        assertThat(error.maxNanos()).isZero();
        assertThat(unevenness.mean()).isCloseTo(1, within(0.01));
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
