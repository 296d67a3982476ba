package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.jmh.InputBenchmark.Events;
import dev.escapement.bench.jmh.InputBenchmark.Queue;
import dev.escapement.bench.jmh.InputBenchmark.Ring;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ring and queue have the same capacity, refuse further events, and deliver each event once, so the benchmark is fair. */
class InputBenchmarkTest {

    static Stream<Events> both() {
        return Stream.of(new Ring(), new Queue());
    }

    @ParameterizedTest
    @MethodSource("both")
    void shouldDeliverWhatItHoldsAndRefuseTheRest(Events events) {
        for (int round = 1; round <= 3; round++) {
            for (int i = 0; i < InputBenchmark.CAPACITY + 7; i++) {
                assertThat(events.offer(System.nanoTime(), i, 1, 2)).isEqualTo(i < InputBenchmark.CAPACITY);
            }
            events.drain();
            assertThat(events.drained).isEqualTo(round * InputBenchmark.CAPACITY);
        }
    }

    /** A full ring or queue would refuse events and seem faster. */
    @ParameterizedTest
    @MethodSource("both")
    void shouldDrainWhatItOffers(Events events) {
        long before = events.offerAndDrain();
        for (int i = 0; i < 2 * InputBenchmark.CAPACITY; i++) {
            long after = events.offerAndDrain();
            assertThat(after).isNotEqualTo(before);
            before = after;
        }
        assertThat(events.drained).isEqualTo(1 + 2 * InputBenchmark.CAPACITY);
    }
}
