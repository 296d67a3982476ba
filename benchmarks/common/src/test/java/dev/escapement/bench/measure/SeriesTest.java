package dev.escapement.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.measure.Series.Point;
import org.junit.jupiter.api.Test;

class SeriesTest {

    private static final int LONG_RUN = 100_000;
    private static final int ROOM = Series.MAX_POINTS;

    @Test
    void shouldCoverALongRunAndLoseNoSpike() {
        Series series = new Series();
        for (int i = 0; i < LONG_RUN; i++) {
            series.add(i, i == 1234 ? 9 : i == 54_321 ? -9 : i % 2);
        }
        assertThat(series.points()).hasSizeBetween(ROOM / 2, ROOM).contains(new Point(1234, 9), new Point(54_321, -9));
        double previous = 0;
        for (Point point : series.points()) {
            assertThat(point.x() - previous).as("gap before " + point).isBetween(0.0, 2.0 * 2 * LONG_RUN / (ROOM / 2));
            previous = point.x();
        }
        assertThat(previous).isGreaterThan(0.9 * LONG_RUN);
    }
}
