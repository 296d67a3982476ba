package dev.escapement.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Series.Point;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlotTest {

    @Test
    void shouldShowEachShare() {
        Distribution values = new Distribution();
        values.record(1_000_000);
        values.record(900_000_000);
        Plot plot = Plot.histogram("Title", "", values);
        assertThat(plot.points()).extracting(Point::y).contains(50.0, 50.0).hasSizeBetween(30, 90);
    }

    @Test
    void shouldNotEndTheScriptThatHoldsTheData() {
        String json = new Plot("</script>", "<b>", "", "", false, List.of(new Point(0, 0))).json();
        assertThat(json).doesNotContain("<", ">");
        JsonObject plot = JsonParser.parseString(json).getAsJsonObject();
        assertThat(plot.get("title").getAsString()).isEqualTo("</script>");
        assertThat(plot.getAsJsonArray("points")).hasSize(1);
    }
}
