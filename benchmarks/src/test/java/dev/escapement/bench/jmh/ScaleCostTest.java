package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScaleCostTest {

    @Test
    void shouldMeasureEveryStage() throws Exception {
        int[] steps = {0};
        ScaleCost cost = ScaleCost.measure(1100, 30, () -> steps[0]++);

        assertThat(cost.bodies()).isEqualTo(1100);
        assertThat(cost.nanos()).hasSize(6).allMatch(nanos -> nanos > 0);
        assertThat(steps[0]).isEqualTo(ScaleCost.steps(30));
    }

    @Test
    void shouldSayInTableAndPageWhatWasMeasured() {
        List<ScaleCost> costs = List.of(
                new ScaleCost(1_000, List.of(1.0, 2.0, 0.125, 4.0, 5.0, 0.5)),
                new ScaleCost(1_000_000, List.of(2.0, 4.0, 0.001, 8.0, 9.0, 3.0)));

        assertThat(ScaleCost.table().text(costs).replaceAll("[ |]+", " "))
                .contains(" 1,000 1.000 2.000 0.125 4.000 5.000 0.500 6.3 3.1 us")
                .contains(" 1,000,000 2.000 4.000 0.001 8.000 9.000 3.000 2.0 6.00 ms");
        assertThat(ScaleCost.page(costs))
                .contains("bench --scale", "\"copy of a pose\"", "nanoseconds a body", "0.125");
    }
}
