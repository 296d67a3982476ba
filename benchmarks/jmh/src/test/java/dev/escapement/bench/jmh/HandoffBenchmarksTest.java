package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every acquire of the handover finds a new window, and none of the other benchmark does. */
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
     * Every contestant hands over the latest of three written ticks, and only if there is one. The exclusive or of all floats: of seven
     * equal ones in each of an odd number of bodies, one remains.
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
