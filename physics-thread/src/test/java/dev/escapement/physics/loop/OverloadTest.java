package dev.escapement.physics.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what a viewer sees while steps take longer than a tick. DilationTest tests the speed that {@link Dilation} chooses. */
class OverloadTest {

    private static final long MILLI = 1_000_000;
    private static final double MAX_UNEVENNESS = 0.002;

    /** Returns a load in milliseconds with reproducible noise of at most 0.1 ms. */
    private static OverloadRun.Load millis(DoubleUnaryOperator ofSecond) {
        return (tick, seconds) -> {
            double noise = Math.abs(new SplittableRandom(tick * 7919).nextDouble() - 0.5) / 5;
            return (long) ((ofSecond.applyAsDouble(seconds) + noise) * MILLI);
        };
    }

    @ParameterizedTest
    @CsvSource({"100, 11, 3", "100, 20, 2", "100, 50, 3", "100, 20, 10", "1000, 1.4, 3", "20, 70, 3"})
    void shouldRunEvenlyAtTheSpeedThatStepsAllow(int hertz, double stepMillis, int windowSize) {
        OverloadRun.Load load = (tick, seconds) -> (long) (stepMillis * MILLI);
        try (OverloadRun run = new OverloadRun(hertz, windowSize, load)) {
            run.until(7);
            assertThat(run.unevennessFrom(2)).isLessThan(MAX_UNEVENNESS);
            assertThat(run.speedFrom(2)).isGreaterThan(0.97 * 1000 / hertz / stepMillis);
            assertThat(run.driver.realTimeFactor()).isCloseTo(run.speedFrom(2), within(0.02));
        }
    }

    /** Returns steps of 2 ms in a container that gets no core for 40 of each 100 ms. */
    private static long withQuota(long tick, double seconds) {
        double ofPeriod = (seconds * 1000) % 100;
        double stepMillis = ofPeriod > 58 ? 100 - ofPeriod + Math.max(0, 2 - Math.max(0, 60 - ofPeriod)) : 2;
        return (long) (stepMillis * MILLI);
    }

    static Stream<Arguments> unevenLoads() {
        OverloadRun.Load burst = (tick, seconds) -> (tick % 6 == 5 ? 30 : 2) * MILLI;
        return Stream.of(arguments(burst, 5), arguments((OverloadRun.Load) OverloadTest::withQuota, 6));
    }

    /** The steps fit on average. A run with windows of 3 advises a window size, with which the next run is even. */
    @ParameterizedTest
    @MethodSource("unevenLoads")
    void shouldHideUnevenStepsInWindowsOfTheAdvisedSize(OverloadRun.Load load, int windowSize) {
        try (OverloadRun small = new OverloadRun(100, 3, load);
                OverloadRun large = new OverloadRun(100, windowSize, load)) {
            assertThat(small.until(8).speedFrom(2)).isGreaterThan(0.98);
            assertThat(small.driver.stats().windowAdvice())
                    .endsWith("would hide it: windowSize(%d)".formatted(windowSize))
                    .isEqualTo(small.reader.window().advice());
            assertThat(large.until(8).unevennessFrom(2)).isLessThan(MAX_UNEVENNESS);
            assertThat(large.driver.stats().windowAdvice()).isEmpty();
        }
    }

    /** The load is 14 ms from the fourth second to the seventh. */
    @ParameterizedTest
    @ValueSource(doubles = {2, 8})
    void shouldShowNoJumpAfterTheStartOfALoad(double lowMillis) {
        try (OverloadRun run = new OverloadRun(100, 3, millis(at -> at >= 4 && at < 7 ? 14 : lowMillis))) {
            run.until(10);
            assertThat(run.jumpsBetween(2, 6.9)).as("a sixth of a second").allMatch(at -> at < 4.17);
            assertThat(run.jumpsBetween(6.9, 10)).isEmpty();
            assertThat(run.speedFrom(8)).isCloseTo(1, within(0.01));
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {2, 8})
    void shouldSlowDownWithARampWithoutAJump(double lowMillis) {
        DoubleUnaryOperator ramp = at -> lowMillis + (14 - lowMillis) * Math.min(1, Math.max(0, 2 * (at - 4)));
        try (OverloadRun run = new OverloadRun(100, 3, millis(ramp))) {
            assertThat(run.until(8).jumpsBetween(2, 8)).isEmpty();
        }
    }
}
