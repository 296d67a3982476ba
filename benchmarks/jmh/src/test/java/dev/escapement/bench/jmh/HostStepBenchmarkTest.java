package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.time.TickRate;
import org.junit.jupiter.api.Test;

/** Host and loop do the same work for each world. */
class HostStepBenchmarkTest {

    private static final int WORLDS = 5;
    private static final int TICKS = 20;
    private static final TickRate RATE = TickRate.hertz(100);

    @Test
    void shouldStepEachWorldOnceInEachCall() throws Exception {
        HostStepBenchmark benchmark = new HostStepBenchmark();
        HostStepBenchmark.Hosted hosted = new HostStepBenchmark.Hosted();
        HostStepBenchmark.Bare bare = new HostStepBenchmark.Bare();
        hosted.worlds = WORLDS;
        bare.worlds = WORLDS;
        hosted.create();
        bare.create();
        Simulation alone = HostStepBenchmark.Load.SPRINGS.world();
        for (int i = 1; i <= TICKS; i++) {
            benchmark.escapementTickAll(hosted);
            benchmark.floorParallelLoop(bare);
            alone.step(Tick.of(RATE, i, RATE.nanosAt(i), 0, new RecordedInput().frame(), false));
        }
        assertThat(hosted.simulations)
                .hasSize(WORLDS)
                .extracting(Simulation::hash)
                .containsOnly(alone.hash());
        assertThat(bare.simulations)
                .hasSize(WORLDS)
                .extracting(Simulation::hash)
                .containsOnly(alone.hash());
        hosted.close();
        bare.close();
    }

    /** Without readers or without new snapshots, the exclusive or of all poses would be 0. */
    @Test
    void shouldReadAllWorldsInEachRound() {
        HostStepBenchmark benchmark = new HostStepBenchmark();
        HostStepBenchmark.Learned learned = new HostStepBenchmark.Learned();
        learned.worlds = 1;
        learned.create();
        learned.observe();
        int round = 0;
        while (benchmark.escapementRound(learned) == 0) {
            round++;
        }
        assertThat(round).as("rounds before a whole window").isEqualTo(2);
        assertThat(benchmark.escapementRound(learned)).isNotZero();
        learned.close();
    }
}
