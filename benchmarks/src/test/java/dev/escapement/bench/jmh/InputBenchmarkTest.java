package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.jmh.InputBenchmark.Contest;
import dev.escapement.bench.jmh.InputContendedBenchmark.Drains;
import dev.escapement.bench.jmh.InputContendedBenchmark.Offers;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The counters say what happened, for whom a refusal is no event. */
class InputBenchmarkTest {

    static Stream<Contest> all() {
        return Stream.of(
                new InputBenchmark.Escapement(), peer(InputContestant.JCTOOLS), peer(InputContestant.LINKED_QUEUE));
    }

    private static Contest peer(InputContestant contestant) {
        InputBenchmark.Peer peer = new InputBenchmark.Peer();
        peer.peer = contestant;
        return peer;
    }

    @ParameterizedTest
    @MethodSource("all")
    void shouldCountWhatWasAcceptedRefusedAndDrained(Contest contest) {
        contest.create();
        Offers offers = new Offers();
        Drains drains = new Drains();
        for (int i = 0; i < InputBenchmark.CAPACITY + 100; i++) {
            offers.offerTo(contest);
        }
        drains.drain(contest);
        assertThat(offers.accepted).isEqualTo(InputBenchmark.CAPACITY);
        assertThat(offers.refused).isEqualTo(100);
        assertThat(drains.drained).isEqualTo(InputBenchmark.CAPACITY);
    }

    /** A queue that filled up would be cheap. */
    @ParameterizedTest
    @MethodSource("all")
    void shouldDrainWhatItOffers(Contest contest) {
        contest.create();
        long before = contest.offerAndDrain();
        for (int i = 0; i < 2 * InputBenchmark.CAPACITY; i++) {
            long after = contest.offerAndDrain();
            assertThat(after).isNotEqualTo(before);
            before = after;
        }
        assertThat(contest.drain()).isZero();
    }
}
