package dev.escapement.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Series;
import dev.escapement.bench.report.Plot.Colour;
import dev.escapement.bench.report.Plot.Curve;
import dev.escapement.bench.report.Plot.Style;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlotTest {

    private static final int MANY = 90_000;

    @Test
    void shouldNotLoseASpikeAmongManyPoints() {
        Series series = new Series(MANY);
        for (int i = 0; i < MANY; i++) {
            series.add(i, i == 54_321 ? 1e6 : i == 12_345 ? -1e6 : i % 7);
        }
        JsonObject curve = curve(Plot.overTime("Title", "unit", "", series));
        assertThat(curve.getAsJsonArray("x")).hasSizeBetween(200, 400);
        assertThat(curve.getAsJsonArray("y").toString()).contains(",1000000.0,", ",-1000000.0,");
    }

    /** A third of a second, days after the start, on a linear axis; and durations over five decades. */
    @Test
    void shouldWriteAsManyDigitsAsAScreenCanShow() {
        assertThat(Plot.rounded(new double[] {259_200.123456, 259_200.453456}))
                .containsExactly(259_200.12346, 259_200.45346);
        assertThat(Plot.rounded(new double[] {0.123456, 12_345.678})).containsExactly(0.12346, 12_346.0);
        assertThat(Plot.rounded(new double[] {0, 0})).containsExactly(0, 0);
    }

    @Test
    void shouldLeaveOutWhatHasNoPoints() {
        Distribution some = new Distribution();
        for (int i = 0; i < 1000; i++) {
            some.record(1000L * i);
        }
        Map<String, Distribution> both = new LinkedHashMap<>();
        both.put("none", new Distribution());
        both.put("some", some);
        assertThat(Plot.percentiles("Title", "", both).curves())
                .extracting(Curve::name)
                .containsExactly("some");
    }

    /** 1 is the shortest of all, 1,000 what 99.9% do not exceed, and a thousand values tell no more. */
    @Test
    void shouldPlacePercentilesByHowFewLieBeyond() {
        Distribution values = new Distribution();
        for (int i = 1; i <= 1000; i++) {
            values.record(1000L * i);
        }
        double[] x = Plot.percentiles("Title", "", Map.of("values", values))
                .curves()
                .get(0)
                .points()
                .x();
        assertThat(x).isSorted().startsWith(1).endsWith(1000);
    }

    @Test
    void shouldNotEndTheScriptThatHoldsTheData() {
        Series one = new Series(1);
        one.add(0, 0);
        Plot plot = Plot.curves("</script>", "x", "y", "", List.of(new Curve("<b>", one, Style.LINE, Colour.TEAL)));
        assertThat(plot.json()).doesNotContain("<", ">");
        assertThat(JsonParser.parseString(plot.json())
                        .getAsJsonObject()
                        .get("title")
                        .getAsString())
                .isEqualTo("</script>");
    }

    private static JsonObject curve(Plot plot) {
        return JsonParser.parseString(plot.json())
                .getAsJsonObject()
                .getAsJsonArray("curves")
                .get(0)
                .getAsJsonObject();
    }
}
