package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TickBenchmarkTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 30})
    void shouldRunOneTickPerInvocation(int bodies) {
        TickBenchmark benchmark = new TickBenchmark();
        benchmark.bodies = bodies;
        benchmark.start();
        try {
            for (int i = 0; i < 20; i++) {
                assertThat(benchmark.tick()).isEqualTo(1);
            }
        } finally {
            benchmark.close();
        }
    }
}
