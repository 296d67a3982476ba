package dev.escapement.render.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AnimationErrorTest {

    private final AnimationError error = new AnimationError();
    private final Timeline timeline = new Timeline(TickRate.hertz(100));

    @BeforeEach
    void startTime() {
        timeline.start(0);
    }

    @Test
    void shouldIgnoreAConstantDelay() {
        for (int frame = 0; frame < 100; frame++) {
            assertThat(error.frame(frame * 7L - 15, timeline, frame * 7L)).isZero();
        }
        assertThat(error.count()).isEqualTo(99);
        assertThat(error.meanNanos()).isZero();
    }

    @Test
    void shouldCompareHowFarThePictureMovedWithHowFarItShouldHave() {
        error.frame(0, timeline, 100);
        assertThat(error.frame(5, timeline, 110)).isEqualTo(-5);
        assertThat(error.frame(20, timeline, 120)).isEqualTo(5);
        assertThat(error.frame(20, timeline, 130)).as("a held frame").isEqualTo(-10);
        assertThat(error.meanNanos()).isCloseTo(20 / 3.0, within(1e-9));
        assertThat(error.maxNanos()).isEqualTo(10);
    }

    @Test
    void shouldBeEmptyAtFirst() {
        error.frame(1, timeline, 2);
        assertThat(error.count()).isZero();
        assertThat(error.meanNanos()).isZero();
        assertThat(error.maxNanos()).isZero();
    }

    @Test
    void shouldNotAskForMotionInTimeThatWasGivenUp() {
        error.frame(40_000_000, timeline, 60_000_000);
        timeline.giveUp(5, 3); // nothing moves from 50 to 80 ms
        assertThat(error.frame(40_000_000, timeline, 70_000_000)).isZero();
        assertThat(error.frame(45_000_000, timeline, 85_000_000)).isZero();
    }

    @Test
    void shouldCountNothingWhereTheTimelineDoesNotReachBack() {
        error.frame(0, timeline, 5);
        for (int gap = 1; gap <= 20; gap++) {
            timeline.giveUp(2L * gap, 1);
        }
        assertThat(error.frame(7, timeline, timeline.dueNanos(41))).isZero();
        assertThat(error.count()).isZero();
    }
}
