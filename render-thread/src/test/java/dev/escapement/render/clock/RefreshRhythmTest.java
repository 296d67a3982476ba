package dev.escapement.render.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.time.TickRate;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames that wait for a display, and then run a while later than it. */
class RefreshRhythmTest {

    private static final long START = Long.MAX_VALUE - 1_000_000_000; // wraps within a second

    /** Ten minutes of frames whose code runs up to 3 ms late. */
    @ParameterizedTest
    @CsvSource({
        "60, 60",
        "60000/1001, 60",
        "144, 144",
        "240000/1001, 240",
        "30, 30",
        "60, 59.94",
        "75, 75.02",
        "60000/1001, 59",
        "24000/1001, 23",
        "7497/100, 74"
    })
    void shouldFindThePeriodBehindTheJitter(String trueHertz, double reportedHertz) {
        TickRate display = TickRate.parse(trueHertz);
        RefreshRhythm rhythm = new RefreshRhythm(reportedHertz);
        SplittableRandom random = new SplittableRandom(7);
        double period = 1e9 * display.dtSeconds();
        long frames = (long) (600 * display.inHertz());
        long jitter = Math.min(3_000_000, (long) (period / 3));
        long previous = rhythm.displayNanos(START);
        double worstStep = 0;
        for (long frame = 1; frame < frames; frame++) {
            long now = START + display.nanosAt(frame) + random.nextLong(jitter);
            long shown = rhythm.displayNanos(now);
            assertThat(Math.abs(now - shown)).as("frame %s", frame).isLessThanOrEqualTo((long) (period / 2) + 1);
            assertThat(Math.round((shown - previous) / rhythm.periodNanos()))
                    .as("no period is missed, also if the device cuts the fraction off: frame %s", frame)
                    .isOne();
            if (frame > frames / 10) {
                worstStep = Math.max(worstStep, Math.abs(shown - previous - period));
            }
            previous = shown;
        }
        assertThat(rhythm.periodNanos()).isCloseTo(period, within(period / 10_000));
        assertThat(worstStep).as("of 1.5 ms of jitter 1/128 is passed on").isLessThan(jitter / 64.0);
    }

    @Test
    void shouldCountMissedPeriodsWhole() {
        TickRate display = TickRate.hertz(60);
        RefreshRhythm rhythm = new RefreshRhythm(60);
        long frame = 0;
        for (; frame < 600; frame++) {
            rhythm.displayNanos(START + display.nanosAt(frame));
        }
        long before = rhythm.displayNanos(START + display.nanosAt(frame));
        long after = rhythm.displayNanos(START + display.nanosAt(frame + 3));
        assertThat((after - before) / 1e9 * 60).isCloseTo(3, within(1e-3));
    }

    @Test
    void shouldGiveFramesOfOnePeriodTheSameTime() {
        RefreshRhythm rhythm = new RefreshRhythm(60);
        long first = rhythm.displayNanos(START);
        assertThat(rhythm.displayNanos(START + 5_000_000)).isEqualTo(first);
        assertThat(rhythm.displayNanos(START + 16_666_667)).isGreaterThan(first);
    }

    @Test
    void shouldBeginAnewAfterALongBreak() {
        RefreshRhythm rhythm = new RefreshRhythm(60);
        rhythm.displayNanos(START);
        long later = START + TickRate.hertz(1).nanosAt(600) + 1234;
        assertThat(rhythm.displayNanos(later)).isEqualTo(later);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -60, Double.NaN, Double.POSITIVE_INFINITY, 0.5, 1001})
    void shouldRefuseWhatNoDisplayDoes(double hertz) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RefreshRhythm(hertz))
                .withMessageContaining("must be within 1 and 1000 Hz, but is " + hertz);
    }

    @Test
    void shouldRefuseAClockThatGoesBack() {
        RefreshRhythm rhythm = new RefreshRhythm(60);
        rhythm.displayNanos(1000);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rhythm.displayNanos(900))
                .withMessage("the clock went backwards by 100 ns between two frames");
    }
}
