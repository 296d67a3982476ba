package dev.escapement.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeriesTest {

    private static final int LONG_RUN = 100_000;
    private static final int ROOM = Series.MOST_POINTS;

    @Test
    void shouldCoverAllOfALongRunEvenlyAndLoseNoSpike() {
        Series series = new Series();
        for (int i = 0; i < LONG_RUN; i++) {
            series.add(i, i == 1234 ? 9 : i == 54_321 ? -9 : i % 2);
        }
        assertThat(series.x()).isSorted().hasSizeBetween(ROOM / 2, ROOM).contains(1234, 54_321);
        assertThat(series.y()).contains(9, -9).hasSameSizeAs(series.x());
        double previous = 0;
        for (double x : series.x()) {
            assertThat(x - previous).as("gap before " + x).isLessThan(2.0 * 2 * LONG_RUN / (ROOM / 2));
            previous = x;
        }
        assertThat(previous).isGreaterThan(0.9 * LONG_RUN);
    }
}
