package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.escapement.bench.measure.Distribution.Summary;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VirtualContestTest {

    private static final long MILLI = 1_000_000;

    /** The expected milliseconds, under steps of 1 to 8 ms, come from an independent model in another language. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            NEWEST,     FPS_144, 4.5, 13.1
            BY_ARRIVAL, FPS_144, 1.6,  5.9
            TWO_BY_DUE, FPS_144, 0.4,  3.1
            """)
    void shouldAgreeWithTheModel(Contestant contestant, RefreshCase refresh, double meanMillis, double p99Millis) {
        Summary error = VirtualContest.measure(new Case(contestant, LoadProfile.HEAVY, refresh))
                .errorMicros();
        assertThat(error.mean() / 1e3).isCloseTo(meanMillis, withinPercentage(25));
        assertThat(error.p99() / 1e3).isCloseTo(p99Millis, withinPercentage(25));
    }

    /** The expected values come from an independent model: the speed of the world, the mean unevenness, and its 99th percentile. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            SERVICE_SKIP,     STEPS_11_MS, 0.50,  65, 100
            SERVICE_SKIP,     STEPS_20_MS, 0.33, 103, 200
            BY_ARRIVAL,       STEPS_14_MS, 0.71,  29,  42
            """)
    void shouldAgreeWithTheModelBeyondTheLimit(
            Contestant contestant, LoadProfile load, double speed, double meanPercent, double p99Percent) {
        Result result = VirtualContest.measure(new Case(contestant, load, RefreshCase.FPS_144));
        assertThat(result.speed()).isCloseTo(speed, within(0.006));
        assertThat(result.unevennessPercent()).isCloseTo(meanPercent, withinPercentage(3));
        assertThat(result.unevennessP99Percent()).isCloseTo(p99Percent, withinPercentage(6));
    }

    /**
     * Frames of 10, 11 and 30 ms on a display of 60 Hz. Each is displayed in the first slot at or after its end, and the next one begins
     * there.
     */
    @Test
    void shouldBeginAFrameWhereTheOneBeforeIsDisplayed() {
        WorkClock clock = new WorkClock();
        long[] frameNanos = {10 * MILLI, 11 * MILLI, 30 * MILLI};
        List<Long> begins = new ArrayList<>();
        Picture picture = new Picture() {
            @Override
            void frame(long nowNanos, long displayNanos) {}
        };
        GameLoop.Frame frame = (beginNanos, displayNanos) -> {
            clock.spend(frameNanos[begins.size() % frameNanos.length]);
            begins.add(beginNanos);
        };
        Case run = new Case(Contestant.ACCUMULATOR, LoadProfile.LIGHT, RefreshCase.FPS_60);
        new GameLoop(picture, frame).measure(run, clock, 0, 100 * MILLI);
        assertThat(begins).startsWith(0L, 16_666_666L, 33_333_333L, 66_666_666L, 83_333_333L);
    }
}
