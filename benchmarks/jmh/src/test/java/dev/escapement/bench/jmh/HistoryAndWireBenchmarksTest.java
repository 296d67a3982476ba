package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryAndWireBenchmarksTest {

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCountTheBitsOfAReceivedStream(boolean broadcast) {
        CodecBenchmark.Sending stream = new CodecBenchmark.Sending();
        stream.scene = CodecBenchmark.Scene.PILE;
        stream.broadcast = broadcast;
        stream.open();
        String said = stream.bits(110);
        stream.close();
        assertThat(said)
                .matches("PILE, (broadcast|acknowledged): [1-4]\\d\\.\\d\\d bits a body, [1-4]\\d\\.\\d a moving body;"
                        + " (9|10)\\d ticks received");
    }

    @ParameterizedTest
    @EnumSource(RewindBenchmark.Saved.class)
    void shouldSaveEachTickOnceAndRestoreIt(RewindBenchmark.Saved world) {
        RewindBenchmark.Unsaved unsaved = new RewindBenchmark.Unsaved();
        unsaved.world = world;
        unsaved.bodies = 30;
        unsaved.create();
        long before = unsaved.storedBytes();
        unsaved.before();
        assertThat(unsaved.storedBytes()).as("waits").isEqualTo(before);
        unsaved.save();
        unsaved.saveLeast();
        unsaved.restore();
        unsaved.after();
        unsaved.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4})
    void shouldGoBackAndRunAgain(int every) {
        RewindBenchmark.Pile pile = new RewindBenchmark.Pile();
        pile.every = every;
        pile.create();
        pile.ahead();
        assertThat(pile.goBack()).isEqualTo(RewindBenchmark.WARM_UP_TICKS + RewindBenchmark.BACK_TICKS);
        pile.close();
    }

    @Test
    void shouldMeasureWorldsThatTick() {
        WorldsBenchmark.Hosted hosted = new WorldsBenchmark.Hosted();
        hosted.worlds = 2;
        hosted.load = WorldsBenchmark.Load.ROGUE;
        hosted.create();
        WorldsBenchmark.Services services = new WorldsBenchmark.Services();
        services.worlds = 2;
        services.create();
        for (WorldsBenchmark.Worlds worlds : List.of(hosted, services)) {
            WorldsBenchmark.Figures figures = new WorldsBenchmark.Figures();
            worlds.begin();
            while (figures.lateMicros == 0) { // until a tick was measured
                worlds.measure(figures);
            }
            assertThat(List.of(figures.cores, figures.skippedTicks)).allMatch(value -> value >= 0);
            worlds.close();
        }
    }

    /** Host and parallel loop must step each world exactly once per call. */
    @Test
    void shouldStepEachWorldOnceInEachCall() throws Exception {
        TickRate rate = TickRate.hertz(100);
        HostStepBenchmark benchmark = new HostStepBenchmark();
        HostStepBenchmark.Hosted hosted = new HostStepBenchmark.Hosted();
        HostStepBenchmark.Bare bare = new HostStepBenchmark.Bare();
        hosted.worlds = 5;
        bare.worlds = 5;
        hosted.create();
        bare.create();
        Simulation alone = HostStepBenchmark.Load.SPRINGS.world();
        for (int i = 1; i <= 20; i++) {
            benchmark.escapementTickAll(hosted);
            benchmark.floorParallelLoop(bare);
            alone.step(Tick.of(rate, i, rate.nanosAt(i), 0, new RecordedInput().frame(), false));
        }
        List<Simulation> all = new ArrayList<>(hosted.simulations);
        all.addAll(bare.simulations);
        assertThat(all).hasSize(10).extracting(Simulation::hash).containsOnly(alone.hash());
        hosted.close();
        bare.close();
    }
}
