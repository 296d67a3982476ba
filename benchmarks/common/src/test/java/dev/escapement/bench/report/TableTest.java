package dev.escapement.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0.0 us",
        "999.94, 999.9 us",
        "999.96, 1.00 ms",
        "999994, 999.99 ms",
        "999996, 1.00 s",
        "2500000000, '2,500.00 s'"
    })
    void shouldWriteADurationInAUnitThatFits(double micros, String text) {
        assertThat(Table.duration(micros)).isEqualTo(text);
    }
}
