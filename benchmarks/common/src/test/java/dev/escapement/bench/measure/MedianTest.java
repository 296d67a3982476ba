package dev.escapement.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MedianTest {

    @Test
    void shouldBeTheValueInTheMiddle() {
        assertThat(Median.of(9, 1, 5)).isEqualTo(5);
        assertThat(Median.of(9, 1, 5, 6)).isEqualTo(5.5);
        assertThat(Median.of(7)).isEqualTo(7);
        assertThat(Median.of()).isNaN();
    }
}
