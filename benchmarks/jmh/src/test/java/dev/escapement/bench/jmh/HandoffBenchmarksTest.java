package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A handover that takes nothing, or one where something is new each time, would be the other one's metric. */
class HandoffBenchmarksTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldTakeEachTickThatIsPublishedOnce(int readers) {
        HandoffFloorBenchmark benchmark = new HandoffFloorBenchmark();
        benchmark.readers = readers;
        benchmark.createExchange();
        assertThat(benchmark.escapementNothingNew()).isFalse();
        int taken = 0;
        for (int tick = 1; tick <= 100; tick++) {
            taken += benchmark.escapementHandover() ? 1 : 0;
            assertThat(benchmark.escapementNothingNew()).isFalse();
        }
        assertThat(taken).as("from the first whole window on").isEqualTo(98);
    }

    /**
     * Every contestant hands over the latest of three that were written, and only when there is one. Exclusive or of all floats: of the
     * seven alike in each of an odd number of bodies, one is left.
     */
    @ParameterizedTest
    @EnumSource
    void shouldReadTheLatestThatWasWritten(HandoffContestant contestant) {
        HandoffContendedBenchmark benchmark = new HandoffContendedBenchmark();
        benchmark.contestant = contestant;
        benchmark.bodies = 1101;
        benchmark.create();
        assertThat(benchmark.oneReaderRead()).as("nothing yet").isZero();
        for (int value = 0; value < 99; value++) {
            assertThat(benchmark.oneReaderWrite()).isTrue();
            if (value % 3 == 2) {
                assertThat(Float.intBitsToFloat(benchmark.oneReaderRead())).isEqualTo(value);
                assertThat(benchmark.oneReaderRead()).as("nothing new").isZero();
            }
        }
    }
}
