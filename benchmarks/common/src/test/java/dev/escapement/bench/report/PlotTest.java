package dev.escapement.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Series;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlotTest {

    /** A third of a second, days after the start, on a linear axis; and durations over five decades. */
    @Test
    void shouldWriteAsManyDigitsAsAScreenCanShow() {
        assertThat(Plot.rounded(new double[] {259_200.123456, 259_200.453456}))
                .containsExactly(259_200.12346, 259_200.45346);
        assertThat(Plot.rounded(new double[] {0.123456, 12_345.678})).containsExactly(0.12346, 12_346.0);
        assertThat(Plot.rounded(new double[] {0, 0})).containsExactly(0, 0);
    }

    /** Two values, a half of the samples each. */
    @ParameterizedTest
    @CsvSource({"1_000_000, 2_000_000, false", "1_000_000, 900_000_000, true"})
    void shouldShowEachShareOnAnAxisThatSuitsTheSpread(String one, String other, boolean logarithmic) {
        Distribution values = new Distribution();
        values.record(Long.parseLong(one.replace("_", "")));
        values.record(Long.parseLong(other.replace("_", "")));
        Plot plot = Plot.histogram("Title", "", values);
        assertThat(plot.x().logarithmic()).isEqualTo(logarithmic);
        assertThat(plot.points().y()).contains(50, 50).hasSizeBetween(30, 70);
    }

    @Test
    void shouldNotEndTheScriptThatHoldsTheData() {
        Series one = new Series();
        one.add(0, 0);
        String json = Plot.overTime("</script>", "<b>", "", one).json();
        assertThat(json).doesNotContain("<", ">");
        JsonObject plot = JsonParser.parseString(json).getAsJsonObject();
        assertThat(plot.get("title").getAsString()).isEqualTo("</script>");
        assertThat(plot.getAsJsonObject("points").getAsJsonArray("x")).hasSize(1);
    }
}
