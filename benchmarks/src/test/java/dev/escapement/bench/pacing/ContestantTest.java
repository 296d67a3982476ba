package dev.escapement.bench.pacing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.escapement.bench.measure.GivenUpTicks;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real threads and processes for a second each; how late they are is not checked. */
class ContestantTest {

    private static final TickRate RATE = TickRate.hertz(100);
    private static final int MOST_TICKS_A_SECOND = 101;

    @ParameterizedTest
    @EnumSource
    void shouldDeliverTicks(Contestant contestant) throws Exception {
        assumeThat(Contestant.available()).contains(contestant);
        Lateness lateness = contestant.create(ticks -> {}).tickFor(RATE, 1);

        assertThat(lateness.ticks()).isBetween(1L, (long) MOST_TICKS_A_SECOND);
        assertThat(lateness.medianMicros()).isLessThanOrEqualTo(lateness.p99Micros());
        assertThat(lateness.p99Micros()).isLessThanOrEqualTo(lateness.maxMicros());
        assertThat(lateness.maxMicros()).isPositive();
    }

    @ParameterizedTest
    @EnumSource(names = {"ESCAPEMENT", "ESCAPEMENT_PARK_ONLY"})
    void shouldTellOfTheTicksThatAServiceGaveUp(Contestant contestant) throws Exception {
        List<GivenUpTicks> told = new ArrayList<>();
        contestant.create(told::add).tickFor(RATE, 1);

        assertThat(told).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void shouldEndWhenInterrupted(Contestant contestant) {
        assumeThat(Contestant.available()).contains(contestant);
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> contestant.create(ticks -> {}).tickFor(RATE, 1))
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).as("told once").isFalse();
    }

    @Test
    void shouldGiveUpMissedTicksAndCountEarlyOnesAsLate() throws Exception {
        long[] calls = {0};
        // Returns half a period early, and oversleeps three periods at the fifth tick.
        Lateness lateness = Contestant.loop(deadlineNanos -> {
                    long untilNanos = ++calls[0] == 5 ? deadlineNanos + 30_000_000 : deadlineNanos - 5_000_000;
                    while (System.nanoTime() - untilNanos < 0) {
                        Thread.onSpinWait();
                    }
                })
                .tickFor(RATE, 1);
        assertThat(calls[0]).as("ticks 6 to 8 were missed").isLessThanOrEqualTo(97);
        assertThat(lateness.medianMicros()).as("early by 5 ms").isPositive();
    }
}
