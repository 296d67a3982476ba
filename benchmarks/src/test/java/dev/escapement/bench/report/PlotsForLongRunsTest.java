package dev.escapement.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Series;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlotsForLongRunsTest {

    @Test
    void shouldNotLoseASpikeAmongAHundredThousandPoints() {
        Series series = new Series(90_000);
        for (int i = 0; i < 90_000; i++) {
            series.add(i, i == 54_321 ? 1e6 : i == 12_345 ? -1e6 : i % 7);
        }
        Series thin = Thinned.of(series);
        assertThat(thin.x()).hasSize(600).isSorted().contains(54_321, 12_345);
        assertThat(thin.y()).contains(1e6, -1e6);
    }

    @Test
    void shouldLeaveAShortCurveAsItIs() {
        Series series = new Series(600);
        for (int i = 0; i < 600; i++) {
            series.add(i, -i);
        }
        assertThat(Thinned.of(series)).isSameAs(series);
    }

    @Test
    void shouldLabelThePercentiles() {
        assertThat(PercentilePlot.percentile(1)).isEqualTo("0%");
        assertThat(PercentilePlot.percentile(10)).isEqualTo("90%");
        assertThat(PercentilePlot.percentile(1_000)).isEqualTo("99.9%");
        assertThat(PercentilePlot.percentile(100_000)).isEqualTo("99.999%");
    }

    @Test
    void shouldDrawWhatIsThereAndNothingElse() {
        Distribution some = new Distribution();
        for (int i = 0; i < 1000; i++) {
            some.record(1000L * i);
        }
        int both = length(Map.of("some", some, "none", new Distribution()));
        assertThat(both).isEqualTo(length(Map.of("some", some)));
        assertThat(both).isGreaterThan(length(Map.of("none", new Distribution())));
    }

    private static int length(Map<String, Distribution> distributions) {
        return new String(PercentilePlot.svg("Title", distributions), StandardCharsets.UTF_8).length();
    }
}
