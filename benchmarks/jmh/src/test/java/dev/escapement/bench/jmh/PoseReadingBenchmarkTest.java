package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.demo.Engine;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that all bodies fall: bodies that sleep or have landed are cheaper to read. */
class PoseReadingBenchmarkTest {

    @ParameterizedTest
    @EnumSource(names = {"JOLT", "BULLET", "ODE4J", "DYN4J", "BOX2D", "PHYSX"})
    void shouldReadBodiesThatAllFall(Engine engine) throws Exception {
        PoseReadingBenchmark benchmark = new PoseReadingBenchmark();
        benchmark.engine = engine;
        benchmark.start();
        try {
            float[] before = heights(benchmark.capture());
            assertThat(heights(benchmark.capture())).containsExactly(before);
            benchmark.fall(1);
            float[] after = heights(benchmark.capture());
            for (int body = 0; body < PoseReadingBenchmark.BODIES; body++) {
                assertThat(after[body]).as("body %d", body).isLessThan(before[body]);
            }
        } finally {
            benchmark.close();
        }
    }

    private static float[] heights(Snapshot snapshot) {
        float[] heights = new float[snapshot.poses().slotCount()];
        for (int body = 0; body < heights.length; body++) {
            heights[body] = snapshot.poses().blockOf(body).py[body & PoseBlock.MASK];
        }
        return heights;
    }
}
