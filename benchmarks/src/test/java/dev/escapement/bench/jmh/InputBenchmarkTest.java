package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.jmh.InputBenchmark.Contest;
import dev.escapement.bench.jmh.InputContendedBenchmark.Drains;
import dev.escapement.bench.jmh.InputContendedBenchmark.Offers;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The counters say what happened, for whom a refusal is no event. */
class InputBenchmarkTest {

    private final InputBenchmark benchmark = new InputBenchmark();

    private static Contest contest(InputContestant contestant) {
        Contest contest = new Contest();
        contest.contestant = contestant;
        contest.create();
        return contest;
    }

    @ParameterizedTest
    @EnumSource
    void shouldCountWhatWasAcceptedRefusedAndDrained(InputContestant contestant) {
        Contest contest = contest(contestant);
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
    @EnumSource
    void shouldDrainWhatItOffers(InputContestant contestant) {
        Contest contest = contest(contestant);
        long before = benchmark.offerAndDrain(contest);
        for (int i = 0; i < 2 * InputBenchmark.CAPACITY; i++) {
            long after = benchmark.offerAndDrain(contest);
            assertThat(after).isNotEqualTo(before);
            before = after;
        }
        assertThat(contest.drain()).isZero();
    }
}
