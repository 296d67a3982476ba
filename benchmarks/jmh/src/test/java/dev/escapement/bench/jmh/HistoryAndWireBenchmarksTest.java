package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The benchmarks of streams, histories and many worlds do what they say, however long it takes. */
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
        measure(hosted);
        WorldsBenchmark.Services services = new WorldsBenchmark.Services();
        services.worlds = 2;
        services.create();
        measure(services);
    }

    private static void measure(WorldsBenchmark.Worlds worlds) {
        WorldsBenchmark.Figures figures = new WorldsBenchmark.Figures();
        worlds.begin();
        while (figures.lateMicros == 0) { // repeats until a tick has begun
            worlds.measure(figures);
        }
        assertThat(figures.cores).isNotNegative();
        assertThat(figures.skippedTicks).isNotNegative();
        worlds.close();
    }
}
