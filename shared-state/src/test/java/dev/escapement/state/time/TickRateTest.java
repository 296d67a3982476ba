package dev.escapement.state.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TickRateTest {

    private static final BigInteger NANOS_PER_SECOND = BigInteger.valueOf(1_000_000_000);

    @ParameterizedTest
    @CsvSource({"60, 1", "100, 1", "144, 1", "60000, 1001", "1000, 1", "1, 3", "2997, 50", "100000, 1", "1, 1000"})
    void shouldComputeEveryTickExactly(long numerator, long denominator) {
        TickRate rate = new TickRate(numerator, denominator);
        SplittableRandom random = new SplittableRandom(1);
        long tenYears = rate.tickAt(10L * 366 * 24 * 3600 * 1_000_000_000L);
        for (int i = 0; i < 10_000; i++) {
            long tick = random.nextLong(tenYears);
            assertThat(rate.nanosAt(tick)).isEqualTo(exactNanos(rate, tick).longValueExact());
            assertThat(rate.nanosAt(-tick)).isEqualTo(exactNanos(rate, -tick).longValueExact());
            assertThat(rate.tickAt(rate.nanosAt(tick))).isEqualTo(tick);
        }
    }

    /** The time of ticks beyond the range of a long wraps. */
    @ParameterizedTest
    @CsvSource({"60, 1", "100, 1", "144, 1", "60000, 1001", "1, 3", "100000, 1"})
    @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldFindTheTickAtTheEndsOfTime(long numerator, long denominator) {
        TickRate rate = new TickRate(numerator, denominator);
        for (long from : new long[] {Long.MIN_VALUE, Long.MAX_VALUE}) {
            for (long away : new long[] {0, 1, 2, 5_000_000, 10_000_000, 123_456_789, 1_000_000_000_000L}) {
                long nanos = from - Long.signum(from) * away;
                long tick = rate.tickAt(nanos);
                BigInteger exact = BigInteger.valueOf(nanos);
                assertThat(exactNanos(rate, tick)).as("%d", nanos).isLessThanOrEqualTo(exact);
                assertThat(exactNanos(rate, tick + 1)).as("%d", nanos).isGreaterThan(exact);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | 1 | a rate must be positive, but is 0",
                "1 | 0 | a rate must be positive, but is 1/0",
                "1 | -2 | a rate must be positive, but is 1/-2",
                "200001 | 2 | a tick rate must be between 1/1000 and 100000 Hz, but is 200001/2 Hz",
                "1 | 1001 | a tick rate must be between 1/1000 and 100000 Hz, but is 1/1001 Hz",
                "-9223372036854775808 | 1 | a rate must be positive, but is -9223372036854775808",
                "9000000011 | 8999999993 | a tick rate of 9000000011/8999999993 Hz is too fine a fraction",
            })
    void shouldSayWhatIsWrongWithARate(long numerator, long denominator, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TickRate(numerator, denominator))
                .withMessageStartingWith(message);
    }

    private static BigInteger exactNanos(TickRate rate, long tick) {
        BigInteger[] quotient = BigInteger.valueOf(tick)
                .multiply(BigInteger.valueOf(rate.denominator()))
                .multiply(NANOS_PER_SECOND)
                .divideAndRemainder(BigInteger.valueOf(rate.numerator()));
        boolean roundDown = quotient[1].signum() < 0;
        return roundDown ? quotient[0].subtract(BigInteger.ONE) : quotient[0];
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 1000000007, 1000000007",
        "1, 10, 99, 9",
        "64, 1, 100, 6400",
        "5, 7, 100, 71",
        "2, 3, 9000000000000000000, 6000000000000000000"
    })
    void shouldScaleWithoutOverflow(long numerator, long denominator, long realNanos, long simNanos) {
        assertThat(new TimeScale(numerator, denominator).simNanos(realNanos)).isEqualTo(simNanos);
    }

    @Test
    void shouldReduceItsFraction() {
        assertThat(new TickRate(200, 2)).isEqualTo(TickRate.hertz(100));
        assertThat(new TickRate(5994, 100).inHertz()).isEqualTo(59.94);
        assertThat(new TimeScale(50, 100)).isEqualTo(new TimeScale(1, 2)).hasToString("1/2");
        assertThat(TimeScale.of(0.1)).isEqualTo(new TimeScale(1, 10));
        assertThat(TimeScale.of(64)).hasToString("64");
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
