package dev.escapement.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MachineWitnessTest {

    @Test
    void shouldPutTogetherWhatSeveralThreadsHaveSeen() {
        List<long[]> seen = List.of(
                new long[] {10, 20},
                new long[] {40, 50},
                new long[] {15, 25},
                new long[] {50, 60},
                new long[] {80, 90},
                new long[] {82, 85});
        assertThat(MachineWitness.union(seen))
                .containsExactly(new long[] {10, 25}, new long[] {40, 60}, new long[] {80, 90});
    }

    @Test
    void shouldWatchEveryCoreUntilItIsClosed() {
        MachineWitness witness = MachineWitness.start();
        witness.close();
        witness.close();
        assertThat(witness.awayMillis()).isGreaterThanOrEqualTo(0);
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("witness-"));
    }
}
