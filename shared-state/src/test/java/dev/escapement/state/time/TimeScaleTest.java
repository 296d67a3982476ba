package dev.escapement.state.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeScaleTest {

    @ParameterizedTest
    @CsvSource({
        "1, 1, 1000000007, 1000000007",
        "1, 10, 99, 9",
        "64, 1, 100, 6400",
        "2, 3, 9000000000000000000, 6000000000000000000"
    })
    void shouldScaleWithoutOverflow(long numerator, long denominator, long realNanos, long simNanos) {
        assertThat(new TimeScale(numerator, denominator).simNanos(realNanos)).isEqualTo(simNanos);
    }

    @Test
    void shouldReduceItsFraction() {
        assertThat(new TimeScale(50, 100)).isEqualTo(new TimeScale(1, 2)).hasToString("1/2");
        assertThat(TimeScale.of(0.1)).isEqualTo(new TimeScale(1, 10));
        assertThat(TimeScale.of(4)).hasToString("4");
        assertThat(new TimeScale(4, 3).times(new TickRate(9, 2))).isEqualTo(new TickRate(6, 1));
        assertThat(TimeScale.of(1e-9)).isEqualTo(new TimeScale(1, 1_000_000));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -0.0, -1, Double.NaN, 64.001, 1e9, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void shouldRefuseWhatIsNoScale(double scale) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TimeScale.of(scale))
                .withMessage("a time scale must be above 0 and at most 64, but is " + scale + "; to stop time, pause");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, must be positive",
        "1, 0, must be positive",
        "-1, 1, 'a time scale must be positive, but is -1/1; to stop time, pause'",
        "65, 1, 'a fraction of at most 64 with a denominator of at most 1000000, but is 65/1'",
        "1, 1000001, with a denominator of at most 1000000"
    })
    void shouldRefuseFractionsThatAreNoScale(long numerator, long denominator, String says) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TimeScale(numerator, denominator))
                .withMessageContaining(says)
                .withMessageContaining(numerator + "/" + denominator);
    }
}
