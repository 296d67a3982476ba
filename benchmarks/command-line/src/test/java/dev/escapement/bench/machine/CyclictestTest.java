package dev.escapement.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.bench.measure.Distribution.Summary;
import java.util.List;
import org.junit.jupiter.api.Test;

class CyclictestTest {

    private static final String HISTOGRAM = """
            WARN: not setting cpu_dma_latency from cyclictest
            # Histogram
            000063 000000
            000064 000040
            000065 000011
            000070 000047
            000084 000001
            000085 000001
            # Total: 000000100
            # Min Latencies: 00064
            # Avg Latencies: 00067
            # Max Latencies: 00085
            # Histogram Overflows: 00000
            # Histogram Overflow at cycle number:
            # Thread 0:
            """;

    @Test
    void shouldReadTheHistogram() {
        Summary micros = Summary.of(Cyclictest.parse(HISTOGRAM.lines().toList()));

        assertThat(micros.mean()).isCloseTo(67.33, within(0.01));
        assertThat(micros.p50()).isCloseTo(65, within(0.01));
        assertThat(micros.p99()).isCloseTo(84, within(1.0));
        assertThat(micros.max()).isCloseTo(85, within(1.0));
    }

    @Test
    void shouldCountWhatTheHistogramHadNoRoomForAsTheLargest() {
        String overflown = HISTOGRAM
                .replace("Max Latencies: 00085", "Max Latencies: 123456")
                .replace("Overflows: 00000", "Overflows: 00004");
        Summary micros = Summary.of(Cyclictest.parse(overflown.lines().toList()));

        assertThat(micros.p99()).isCloseTo(123_456, within(1.0));
        assertThat(micros.max()).isCloseTo(123_456, within(1.0));
    }

    @Test
    void shouldReportWhatCyclictestSaidInstead() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Cyclictest.parse(List.of("Unable to change scheduling policy!")))
                .withMessageContaining("take it off the PATH")
                .withMessageEndingWith("Unable to change scheduling policy!");
    }
}
