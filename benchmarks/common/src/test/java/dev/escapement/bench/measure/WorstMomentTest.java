package dev.escapement.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.measure.Series.Point;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorstMomentTest {

    /** The worst frame is 50, or, where errors before frame 60 do not count, 99. */
    @ParameterizedTest
    @CsvSource({"-1, 30, 69", "60, 60, 99"})
    void shouldKeepTheFramesAroundTheWorstOne(int reset, int first, int last) {
        WorstMoment moment = new WorstMoment();
        for (int i = 0; i < 100; i++) {
            if (i == reset) {
                moment.reset();
            }
            moment.frame(i, 2 * i, 3 * i, i == 50 ? -9 : i == 99 ? 5 : i % 2);
        }
        assertThat(moment.shown()).startsWith(new Point(first, 2 * first)).endsWith(new Point(last, 2 * last));
        assertThat(moment.due()).hasSize(moment.shown().size()).startsWith(new Point(first, 3 * first));
        assertThat(moment.isEven()).isTrue();
        moment.frame(100, 0, 0, -200_001);
        assertThat(moment.isEven()).as("a person sees it").isFalse();
    }
}
