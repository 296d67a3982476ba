package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.jmh.InputStates.Contest;
import dev.escapement.bench.jmh.InputStates.Drains;
import dev.escapement.bench.jmh.InputStates.Offers;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The counters say what happened, for whom a refusal is no event. */
class InputBenchmarkTest {

    static Stream<Contest> all() {
        return Stream.of(
                new InputContendedBenchmark.Escapement(),
                new InputContendedBenchmark.Jctools(),
                new InputContendedBenchmark.LinkedQueue());
    }

    static Stream<Contest> alone() {
        return Stream.of(
                new InputBenchmark.Escapement(), new InputBenchmark.Jctools(), new InputBenchmark.LinkedQueue());
    }

    @ParameterizedTest
    @MethodSource("all")
    void shouldCountWhatWasAcceptedRefusedAndDrained(Contest contest) {
        contest.create();
        Offers offers = new Offers();
        Drains drains = new Drains();
        for (int i = 0; i < InputStates.CAPACITY + 100; i++) {
            offers.offerTo(contest);
        }
        drains.drain(contest);
        assertThat(offers.accepted).isEqualTo(InputStates.CAPACITY);
        assertThat(offers.refused).isEqualTo(100);
        assertThat(drains.drained).isEqualTo(InputStates.CAPACITY);
    }

    /** A queue that filled up would be cheap. */
    @ParameterizedTest
    @MethodSource("alone")
    void shouldDrainWhatItOffers(Contest contest) {
        contest.create();
        long before = contest.offerAndDrain();
        for (int i = 0; i < 2 * InputStates.CAPACITY; i++) {
            long after = contest.offerAndDrain();
            assertThat(after).isNotEqualTo(before);
            before = after;
        }
        assertThat(contest.drain()).isZero();
    }
}
