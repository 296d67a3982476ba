package dev.escapement.bench.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TickGaugeTest {

    @Test
    void shouldTellTheMeanAndTheMostOfTheLastTicks() {
        TickGauge gauge = new TickGauge(4);
        for (int tick = 1; tick <= 4; tick++) {
            gauge.ticked(tick, 1000, 1000 + 10 * tick, 1500 + 10 * tick, 1600);
        }
        assertThat(gauge.meanLatenessNanos()).isEqualTo(25);
        assertThat(gauge.mostLatenessNanos()).isEqualTo(40);
        assertThat(gauge.meanStepNanos()).isEqualTo(500);
        assertThat(gauge.mostStepNanos()).isEqualTo(500);
        gauge.ticked(5, 0, 9000, 9999, 9999);
        assertThat(gauge.mostLatenessNanos()).as("not until four more").isEqualTo(40);
        for (int tick = 6; tick <= 8; tick++) {
            gauge.ticked(tick, 0, 0, 1, 1);
        }
        assertThat(gauge.mostLatenessNanos()).isEqualTo(9000);
        assertThat(gauge.mostStepNanos()).isEqualTo(999);
    }
}
