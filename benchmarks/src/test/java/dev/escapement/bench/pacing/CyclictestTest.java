package dev.escapement.bench.pacing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

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
        Lateness lateness = Cyclictest.parse(HISTOGRAM.lines().toList());

        assertThat(lateness.ticks()).isEqualTo(100);
        assertThat(lateness.medianMicros()).isEqualTo(65);
        assertThat(lateness.p99Micros()).isEqualTo(84);
        assertThat(lateness.maxMicros()).isEqualTo(85);
        assertThat(lateness.corePercent()).isNaN();
    }

    @Test
    void shouldCountWhatTheHistogramHadNoRoomForAsTheLargest() {
        String overflown = HISTOGRAM
                .replace("Max Latencies: 00085", "Max Latencies: 123456")
                .replace("Overflows: 00000", "Overflows: 00004");
        Lateness lateness = Cyclictest.parse(overflown.lines().toList());

        assertThat(lateness.ticks()).isEqualTo(104);
        assertThat(lateness.p99Micros()).isEqualTo(123_456);
        assertThat(lateness.maxMicros()).isEqualTo(123_456);
    }

    @Test
    void shouldTellWhatCyclictestSaidInstead() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Cyclictest.parse(List.of("Unable to change scheduling policy!")))
                .withMessageContaining("take it off the PATH")
                .withMessageEndingWith("Unable to change scheduling policy!");
    }
}
