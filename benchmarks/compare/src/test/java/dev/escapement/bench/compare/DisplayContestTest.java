package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.compare.DisplayContest.Metrics;
import dev.escapement.bench.compare.DisplayContest.Series;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** 24 seeded series of calls for each display, through exchange, render clock and interpolation. */
class DisplayContestTest {

    private static final double HALF = 0.5 + 1e-6;

    static List<DisplayCase> regular() {
        return DisplayCase.regular();
    }

    static List<DisplayCase> irregular() {
        return DisplayCase.irregular();
    }

    @ParameterizedTest
    @MethodSource("regular")
    void shouldShowTheSlotsOfADisplay(DisplayCase display) {
        Series series = DisplayContest.measure(display);
        assertThat(series.learned()).extracting(Metrics::p99).allMatch(p99 -> p99 <= 200_000);
        assertThat(DisplayTable.worse(series)).isZero();
        assertThat(DisplayTable.older(series)).isLessThanOrEqualTo(display.jitterNanos() + 500_000);
        assertThat(DisplayTable.max(series.learned(), Metrics::away)).isLessThanOrEqualTo(HALF * display.periodNanos());
    }

    @ParameterizedTest
    @MethodSource("irregular")
    void shouldNotBeWorseThanTheCallsWithoutARhythm(DisplayCase display) {
        Series series = DisplayContest.measure(display);
        assertThat(DisplayTable.worse(series)).isZero();
        assertThat(DisplayTable.max(series.learned(), Metrics::away)).isLessThanOrEqualTo(HALF * display.periodNanos());
    }
}
