package dev.escapement.bench.stress.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FloodTest {

    @ParameterizedTest
    @CsvSource({
        "1, 1, 1",
        "100, 2, 1",
        "102400, 2048, 128",
        "102500, 4096, 128",
        "1000000, 32768, 1024",
        "10000000, 262144, 16384"
    })
    void shouldHoldTwoTicksOrFarLessThanOne(int perSecond, int ample, int tooSmall) {
        assertThat(Flood.ampleCapacity(perSecond)).isEqualTo(ample);
        assertThat(Flood.tooSmallCapacity(perSecond)).isEqualTo(tooSmall);
    }
}
