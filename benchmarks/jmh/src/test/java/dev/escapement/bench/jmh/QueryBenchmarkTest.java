package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueryBenchmarkTest {

    @Test
    void shouldMoveBodiesAndHitSome() {
        QueryBenchmark benchmark = new QueryBenchmark();
        benchmark.bodies = 200;
        benchmark.start();
        int hits = 0;
        int own = 0;
        for (int i = 0; i < 1024; i++) {
            benchmark.at();
            hits += benchmark.ray() == QueryBenchmark.MISS ? 0 : 1;
        }
        for (int i = 0; i < 1024; i++) {
            own += benchmark.enginesOwnRay() == QueryBenchmark.MISS ? 0 : 1;
        }
        assertThat(hits).isBetween(200, 1000).isBetween(own - 5, own + 5);
        benchmark.close();
    }
}
