package dev.escapement.bench.stress.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventTagTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "3, 1, 0",
        "1, 16777215, 16777214", // the largest whole number below which a float has all
        "2, 16777216, 16777215",
        "2, 16777217, 16777217",
        "255, 68719476735, 68719476735",
        "0, 68719476735, 1",
        "255, 50000000001, 49999999999"
    })
    void shouldBringEveryNumberAcross(int producer, long number, long place) {
        int code = EventTag.code(producer, number, place);
        assertThat(EventTag.producer(code)).isEqualTo(producer);
        assertThat(EventTag.number(code, EventTag.x(number))).isEqualTo(number);
        assertThat(EventTag.place(code, EventTag.y(place))).isEqualTo(place);
    }

    @Test
    void shouldHashAllOfIt() {
        assertThat(EventTag.hash(1, 2, 3))
                .isEqualTo(EventTag.hash(1, 2, 3))
                .isNotEqualTo(EventTag.hash(0, 2, 3))
                .isNotEqualTo(EventTag.hash(1, 3, 3))
                .isNotEqualTo(EventTag.hash(1, 2, 2));
    }
}
