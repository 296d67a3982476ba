package dev.escapement.state.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowAdviceTest {

    /** The tick period is 10 ms. */
    @ParameterizedTest
    @CsvSource({
        "9300, 3, 8, ''",
        "9400, 3, 8, 'Publish delays vary by 9.4 ms; windows of 4 snapshots would hide it: windowSize(4)'",
        "28000, 3, 8, 'Publish delays vary by 28 ms; windows of 5 snapshots would hide it: windowSize(5)'",
        "28000, 4, 12, 'Publish delays vary by 28 ms; windows of 5 snapshots would hide it: "
                + "windowSize(5) with maxReaders(11) instead of 12'",
        "28000, 5, 8, ''",
        "79000, 3, 5, 'Publish delays vary by 79 ms; windows of 10 snapshots would hide it: windowSize(10)'",
        "80000, 10, 5, 'Publish delays vary by 80 ms; not even windows of 10 snapshots, the most, would hide it'",
        "4900, 2, 8, ''",
        "5000, 2, 8, 'Publish delays vary by 5.0 ms; windows of 3 snapshots would hide it: windowSize(3)'",
        "0, 2, 8, ''",
    })
    void shouldNameTheWindowThatHelps(long spreadMicros, int windowSize, int maxReaders, String advice) {
        long spreadNanos = TimeUnit.MICROSECONDS.toNanos(spreadMicros);
        assertThat(WindowAdvice.of(spreadNanos, 10_000_000, windowSize, maxReaders))
                .isEqualTo(advice);
    }
}
