package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadProfileTest {

    private static final int STEPS = 100_000;

    @ParameterizedTest
    @CsvSource({"LIGHT, 200000, 400000", "HEAVY, 1000000, 8000000"})
    void shouldSpreadCostsEvenly(LoadProfile load, long least, long most) {
        double mean = costs(load).average().orElseThrow();
        assertThat(mean).isCloseTo((least + most) / 2.0, within((most - least) / 100.0));
        assertThat(costs(load).min().orElseThrow()).isBetween(least, least + (most - least) / 1000);
        assertThat(costs(load).max().orElseThrow()).isBetween(most - (most - least) / 1000, most);
    }

    @Test
    void shouldSpikeInOneStepOfAHundred() {
        assertThat(costs(LoadProfile.SPIKY).filter(cost -> cost == 9_000_000).count())
                .isBetween(STEPS / 100 * 9 / 10L, STEPS / 100 * 11 / 10L);
        assertThat(costs(LoadProfile.SPIKY).filter(cost -> cost != 9_000_000))
                .allMatch(cost -> cost >= 1_000_000 && cost <= 1_300_000);
    }

    /** Every figure on the page follows from these. */
    @ParameterizedTest
    @CsvSource({"LIGHT, 296616, 297336", "HEAVY, 5158189, 1021448", "SPIKY, 1133687, 1279129"})
    void shouldCostTheSameInEveryRun(LoadProfile load, long first, long thousandth) {
        assertThat(load.costNanos(1)).isEqualTo(first);
        assertThat(load.costNanos(1000)).isEqualTo(thousandth);
    }

    private static LongStream costs(LoadProfile load) {
        return LongStream.rangeClosed(1, STEPS).map(load::costNanos);
    }
}
