package dev.escapement.bench.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.view.ShownSpeed.Asked;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What the picture says of its speed, and how steps are slowed. */
class ShownSpeedTest {

    private static final long MILLI = 1_000_000;
    private static final Asked USUAL = new Asked("", 1);

    private final ShownSpeed speed = new ShownSpeed();
    private long shownNanos;
    private long displayNanos;

    @Test
    void shouldSayNothingWhereTimeRunsAsAsked() {
        assertThat(second(USUAL, 1)).isEmpty();
        assertThat(second(USUAL, 0.99)).isEmpty();
        assertThat(second(new Asked("time x 1/2", 0.5), 0.5)).isEqualTo("time x 1/2");
    }

    @Test
    void shouldSayHowSlowTimeIsWhereItIsSlower() {
        assertThat(second(USUAL, 0.68)).isEqualTo("0.68 of real time");
        assertThat(second(new Asked("L: slow", 1), 0.7)).isEqualTo("L: slow   0.70 of real time");
        assertThat(second(new Asked("L: slow", 1), 1)).isEqualTo("L: slow");
    }

    /** The picture still moves for a moment. */
    @Test
    void shouldNotCallAPauseSlow() {
        second(USUAL, 1);
        assertThat(second(new Asked("paused", 0), 0.1)).isEqualTo("paused");
        assertThat(second(USUAL, 1)).isEmpty();
    }

    @Test
    void shouldSlowStepsAsTheLoadSays() {
        assertThat(LongStream.range(0, 1000).map(StepLoad.NONE::nanos)).containsOnly(0L);
        assertThat(LongStream.range(0, 1000).map(StepLoad.OVERLOAD::nanos)).containsOnly(14 * MILLI);
        assertThat(LongStream.range(0, 1000).map(StepLoad.UNEVEN::nanos).summaryStatistics())
                .matches(nanos -> nanos.getMin() >= MILLI && nanos.getMin() < 1.1 * MILLI)
                .matches(nanos -> nanos.getMax() <= 8 * MILLI && nanos.getMax() > 7.9 * MILLI)
                .matches(nanos -> Math.abs(nanos.getAverage() - 4.5 * MILLI) < 0.1 * MILLI);
        assertThat(StepLoad.NONE.next().next().next()).isEqualTo(StepLoad.NONE);
    }

    /** A second of frames with a speed; returns the text of the last one. */
    private String second(Asked asked, double times) {
        String text = "";
        for (int frame = 0; frame <= 100; frame++) {
            text = speed.text(asked, shownNanos, displayNanos);
            if (frame < 100) {
                shownNanos += Math.round(10 * MILLI * times);
                displayNanos += 10 * MILLI;
            }
        }
        return text;
    }
}
