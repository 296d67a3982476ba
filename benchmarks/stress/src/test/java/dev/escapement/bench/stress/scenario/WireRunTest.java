package dev.escapement.bench.stress.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WireRunTest {

    @Test
    void shouldRunTheSameFromTheSameSeed() {
        List<Long> traces = new ArrayList<>();
        for (long seed : new long[] {7, 7, 8}) {
            WireRun.scenario(seed, traces::add).run(0, null);
        }
        assertThat(traces.get(1)).isEqualTo(traces.get(0));
        assertThat(traces.get(2)).isNotEqualTo(traces.get(0));
    }
}
