package dev.escapement.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Series;
import org.junit.jupiter.api.Test;

class PlotTest {

    /** Two values, a half of the samples each. */
    @Test
    void shouldShowEachShare() {
        Distribution values = new Distribution();
        values.record(1_000_000);
        values.record(900_000_000);
        Plot plot = Plot.histogram("Title", "", values);
        assertThat(plot.points().y()).contains(50, 50).hasSizeBetween(30, 90);
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
