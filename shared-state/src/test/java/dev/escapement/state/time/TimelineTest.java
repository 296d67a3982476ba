package dev.escapement.state.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimelineTest {

    private static final TickRate HUNDRED = TickRate.hertz(100);
    private static final long TICK_NANOS = 10_000_000;

    @ParameterizedTest
    @ValueSource(longs = {0, -5, 1_000_000_007, Long.MAX_VALUE - 3 * TICK_NANOS})
    void shouldRunAtTheClocksPace(long start) {
        Timeline timeline = started(HUNDRED, start);

        assertThat(timeline.dueNanos(7)).isEqualTo(start + 7 * TICK_NANOS);
        assertThat(timeline.simNanosAt(start + 7 * TICK_NANOS + 3)).isEqualTo(7 * TICK_NANOS + 3);
        assertThat(timeline.lastTickDueBefore(start + 7 * TICK_NANOS)).isEqualTo(6);
        assertThat(timeline.lastTickDueBefore(start + 7 * TICK_NANOS + 1)).isEqualTo(7);
    }

    @Test
    void shouldReadAsItsStartBeforeItStarted() {
        assertThat(started(HUNDRED, 1000).simNanosAt(10)).isZero();
    }

    @Test
    void shouldStandStillWhereTimeWasGivenUpAndKeepThePhase() {
        Timeline timeline = started(HUNDRED, 0);

        timeline.giveUp(5, 3); // tick 5 took until after tick 8 was due

        assertThat(timeline.simNanosAt(4 * TICK_NANOS)).isEqualTo(4 * TICK_NANOS);
        assertThat(timeline.simNanosAt(5 * TICK_NANOS)).isEqualTo(5 * TICK_NANOS);
        assertThat(timeline.simNanosAt(6 * TICK_NANOS)).isEqualTo(5 * TICK_NANOS);
        assertThat(timeline.simNanosAt(8 * TICK_NANOS)).isEqualTo(5 * TICK_NANOS);
        assertThat(timeline.simNanosAt(8 * TICK_NANOS + 17)).isEqualTo(5 * TICK_NANOS + 17);
        assertThat(timeline.dueNanos(6)).isEqualTo(9 * TICK_NANOS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"60", "100", "144", "60000/1001", "1000"})
    void shouldNeverDriftHoweverMuchIsGivenUp(String text) {
        TickRate rate = TickRate.parse(text);
        SplittableRandom random = new SplittableRandom(3);
        Timeline timeline = started(rate, 42);
        long tick = 0;
        long givenUp = 0;
        for (int i = 0; i < 10_000; i++) {
            tick += random.nextLong(1, 1000);
            long ticks = random.nextLong(1, 50);
            timeline.giveUp(tick, ticks);
            givenUp += ticks;

            long due = timeline.dueNanos(tick + 1);
            assertThat(due).isEqualTo(42 + rate.nanosAt(tick + 1 + givenUp));
            assertThat(timeline.simNanosAt(due)).isBetween(rate.nanosAt(tick + 1) - 1, rate.nanosAt(tick + 1));
            long sim = timeline.simNanosAt(due - random.nextLong(rate.nanosAt(3)));
            assertThat(timeline.simNanosAt(due)).isGreaterThanOrEqualTo(sim);
        }
    }

    @Test
    void shouldNeverRunBackwards() {
        Timeline timeline = started(TickRate.hertz(60), 0);
        timeline.giveUp(7, 1);
        timeline.giveUp(8, 2);
        timeline.giveUp(11, 5);
        long previous = 0;
        for (long nanos = 0; nanos < 1_000_000_000; nanos += 333) {
            long sim = timeline.simNanosAt(nanos);
            assertThat(sim).isGreaterThanOrEqualTo(previous);
            previous = sim;
        }
    }

    @Test
    void shouldBecomeEqualToTheTimelineItCopies() {
        Timeline original = started(HUNDRED, 0);
        Timeline copy = new Timeline(HUNDRED);
        copy.copyFrom(original);
        original.giveUp(5, 3);

        assertThat(copy.simNanosAt(8 * TICK_NANOS)).isEqualTo(8 * TICK_NANOS);
        copy.copyFrom(original);
        assertThat(copy.simNanosAt(8 * TICK_NANOS)).isEqualTo(5 * TICK_NANOS);
    }

    @Test
    void shouldRefuseMisuse() {
        assertThatIllegalStateException().isThrownBy(() -> new Timeline(HUNDRED).simNanosAt(0));
        assertThatIllegalStateException().isThrownBy(() -> new Timeline(HUNDRED).dueNanos(1));
        assertThatIllegalStateException()
                .isThrownBy(() -> started(HUNDRED, 12).start(13))
                .withMessage("this timeline has started before, at 12 ns");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> started(HUNDRED, 0).giveUp(5, 0))
                .withMessage("cannot give up 0 ticks after tick 5");
    }

    private static Timeline started(TickRate rate, long start) {
        Timeline timeline = new Timeline(rate);
        timeline.start(start);
        return timeline;
    }

    @Test
    void shouldCopyEveryChangeAlsoWhenOldPiecesAreForgotten() {
        Timeline original = started(HUNDRED, 0);
        Timeline copy = new Timeline(HUNDRED);
        for (int i = 1; i < 100; i++) {
            original.giveUp(2L * i, 1);
            copy.copyFrom(original);
            long due = original.dueNanos(2L * i + 1);
            assertThat(copy.dueNanos(2L * i + 1)).isEqualTo(due);
            assertThat(copy.simNanosAt(due)).isEqualTo(original.simNanosAt(due));
        }
    }

    @Test
    void shouldRememberEightGaps() {
        Timeline timeline = started(HUNDRED, 0);
        for (int i = 1; i <= 20; i++) {
            timeline.giveUp(2L * i, 1);
        }
        long now = timeline.dueNanos(41);
        long eightGapsAgo = now - 8 * 3 * TICK_NANOS; // a gap every three periods
        assertThat(timeline.remembers(eightGapsAgo + 2 * TICK_NANOS)).isTrue();
        assertThat(timeline.remembers(0)).isFalse();
        for (long nanos = eightGapsAgo + 2 * TICK_NANOS; nanos < now; nanos += TICK_NANOS) {
            // Two ticks run in every three periods.
            long behind = timeline.simNanosAt(now) - timeline.simNanosAt(nanos);
            assertThat(behind).isBetween((now - nanos) * 2 / 3 - TICK_NANOS, (now - nanos) * 2 / 3 + TICK_NANOS);
        }
    }

    @Test
    void shouldBecomeAnotherTimelineOfTheSameAge() {
        Timeline copy = new Timeline(HUNDRED);
        copy.copyFrom(started(HUNDRED, 0));
        copy.copyFrom(started(HUNDRED, 777));
        assertThat(copy.dueNanos(0)).isEqualTo(777);
    }
}
