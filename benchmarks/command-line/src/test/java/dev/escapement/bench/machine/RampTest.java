package dev.escapement.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.MeddledSprings;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RampTest {

    private static final long SECOND = 1_000_000_000L;

    private final ManualClock clock = new ManualClock(0);
    private final List<Long> tried = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({"1000, 940, 1000", "12345, 11573, 12345", "100, 100, 100", "199, 187, 199", "1000000, 1000000, 1000000"
    })
    void shouldFindTheLargestToASixteenth(long truth, long atLeast, long atMost) {
        assertThat(largest(60, number -> number <= truth)).isBetween(atLeast, atMost);
        assertThat(tried).hasSizeLessThan(40).allMatch(number -> number <= 1_000_000);
    }

    @Test
    void shouldFindNothingWhereTheFirstDoesNotHold() {
        assertThat(largest(60, number -> false)).isZero();
        assertThat(tried).containsExactly(100L, 100L);
    }

    @Test
    void shouldNotBelieveAFailureThatHappensOnce() {
        boolean[] failed = new boolean[1];
        assertThat(largest(60, number -> {
                    boolean disturbed = number == 400 && !failed[0];
                    failed[0] |= disturbed;
                    return !disturbed && number <= 1600;
                }))
                .isBetween(1500L, 1600L);
        assertThat(tried).startsWith(100L, 200L, 400L, 400L, 800L);
    }

    @Test
    void shouldEndWhenItsTimeIsOver() {
        assertThat(largest(3, number -> true)).isEqualTo(400);
        assertThat(tried).containsExactly(100L, 200L, 400L);
    }

    /** Each try takes a second. */
    private long largest(int seconds, LongPredicate holds) {
        return new Ramp(clock, seconds * SECOND, (number, why) -> tried.add(number)).largest(100, 1_000_000, number -> {
            clock.advance(SECOND);
            return holds.test(number) ? "" : "too many";
        });
    }

    /** A second after the start, when what is skipped counts. */
    @Test
    void shouldSayThatAStepLongerThanATickSkipsTime() {
        Ramp.Trial trial = new Ramp.Trial(
                bodies -> new MeddledSprings(new SpringSimulation(bodies), 100, RampTest::takeFiveTicks));
        assertThat(trial.run(1, TickRate.hertz(100))).startsWith("skips ").contains("ticks took too long themselves");
    }

    private static void takeFiveTicks() {
        for (long endNanos = System.nanoTime() + 50_000_000; System.nanoTime() - endNanos < 0; ) {
            Thread.onSpinWait();
        }
    }
}
