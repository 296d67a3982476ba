package dev.escapement.state.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
    void shouldVisitPiecesThatGiveTheSameSimulatedTime() {
        Timeline timeline = new Timeline(new TickRate(60_000, 1001));
        timeline.start(-500);
        timeline.skip(5, 3);
        timeline.changeScale(10, new TimeScale(1, 3));
        timeline.pause(20);
        timeline.resume(2_000_000_000L, new TimeScale(4, 1));
        List<long[]> pieces = new ArrayList<>();
        timeline.pieces(
                (start, sim, numerator, denominator) -> pieces.add(new long[] {start, sim, numerator, denominator}));
        assertThat(pieces).hasSize(6);
        for (long nanos = -500; nanos < 3_000_000_000L; nanos += 1_234_567) {
            long[] piece = pieces.get(0);
            for (long[] later : pieces) {
                piece = later[0] <= nanos ? later : piece;
            }
            long simNanos = piece[1] + (nanos - piece[0]) * piece[2] / piece[3];
            assertThat(simNanos).isCloseTo(timeline.simNanosAt(nanos), within(1L));
        }
    }

    @Test
    void shouldReturnWhenTimeResumedAfterATick() {
        Timeline timeline = started(HUNDRED, 0);
        timeline.skip(5, 3);
        timeline.changeScale(10, new TimeScale(2, 1));
        timeline.pause(20);

        assertThat(timeline.resumeNanos(4)).as("before the gap").isEqualTo(4 * TICK_NANOS);
        assertThat(timeline.resumeNanos(5)).as("at its end").isEqualTo(8 * TICK_NANOS);
        assertThat(timeline.resumeNanos(9)).isEqualTo(12 * TICK_NANOS);
        assertThat(timeline.resumeNanos(14)).as("twice as fast").isEqualTo(15 * TICK_NANOS);
        assertThat(timeline.resumeNanos(20)).as("not known yet").isEqualTo(18 * TICK_NANOS);
        timeline.resume(100 * TICK_NANOS, TimeScale.ONE);
        assertThat(timeline.resumeNanos(20)).isEqualTo(100 * TICK_NANOS);
    }

    @ParameterizedTest
    @CsvSource({"60, 1", "100, 1", "144, 1", "60000, 1001", "1000, 1"})
    void shouldNeverDriftHoweverMuchIsSkipped(long numerator, long denominator) {
        TickRate rate = new TickRate(numerator, denominator);
        SplittableRandom random = new SplittableRandom(3);
        Timeline timeline = started(rate, 42);
        long tick = 0;
        long skipped = 0;
        for (int i = 0; i < 10_000; i++) {
            tick += random.nextLong(1, 1000);
            long ticks = random.nextLong(1, 50);
            timeline.skip(tick, ticks);
            skipped += ticks;

            long due = timeline.dueNanos(tick + 1);
            assertThat(due).isEqualTo(42 + rate.nanosAt(tick + 1 + skipped));
            assertThat(timeline.simNanosAt(due)).isBetween(rate.nanosAt(tick + 1) - 1, rate.nanosAt(tick + 1));
            long sim = timeline.simNanosAt(due - random.nextLong(rate.nanosAt(3)));
            assertThat(timeline.simNanosAt(due)).isGreaterThanOrEqualTo(sim);
        }
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
        copy.copyFrom(started(HUNDRED, 777));
        copy.copyFrom(original);
        assertThat(copy.dueNanos(0)).as("another timeline of the same age").isZero();
        for (int i = 1; i < 100; i++) {
            original.skip(2L * i, 1);
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
            timeline.skip(2L * i, 1);
        }
        long now = timeline.dueNanos(41);
        long eightGapsAgo = now - 8 * 3 * TICK_NANOS; // one gap in every three periods
        assertThat(timeline.remembers(eightGapsAgo + 2 * TICK_NANOS)).isTrue();
        assertThat(timeline.remembers(0)).isFalse();
        for (long nanos = eightGapsAgo + 2 * TICK_NANOS; nanos < now; nanos += TICK_NANOS) {
            // Two ticks run in every three periods.
            long behind = timeline.simNanosAt(now) - timeline.simNanosAt(nanos);
            assertThat(behind).isBetween((now - nanos) * 2 / 3 - TICK_NANOS, (now - nanos) * 2 / 3 + TICK_NANOS);
        }
    }

    @Test
    void shouldStandStillWhilePausedAndResumeFromThere() {
        Timeline timeline = started(HUNDRED, 0);
        timeline.pause(5);
        assertThat(timeline.isPaused()).isTrue();
        assertThat(timeline.simNanosAt(5 * TICK_NANOS + 1)).isEqualTo(5 * TICK_NANOS);
        assertThat(timeline.simNanosAt(Long.MAX_VALUE / 2)).isEqualTo(5 * TICK_NANOS);
        timeline.resume(1_000_000_007L, new TimeScale(1, 10));
        assertThat(timeline.isPaused()).isFalse();
        assertThat(timeline.dueNanos(6)).isEqualTo(1_000_000_007L + 10 * TICK_NANOS);
        assertThat(timeline.simNanosAt(1_000_000_006L)).isEqualTo(5 * TICK_NANOS);
        assertThat(timeline.simNanosAt(1_000_000_007L + TICK_NANOS)).isEqualTo(5 * TICK_NANOS + TICK_NANOS / 10);
    }

    /** Each command in a pause stands at another tick, and a timeline keeps 16 pieces. */
    @Test
    void shouldStandAtMoreTicksOfAPauseThanItRemembers() {
        Timeline timeline = started(HUNDRED, 0);
        timeline.pause(5);
        for (int tick = 6; tick <= 5 + 2 * Timeline.CAPACITY; tick++) {
            assertThat(timeline.standAtNextTick(tick * 3L * TICK_NANOS)).isEqualTo(tick * 3L * TICK_NANOS);
        }
        long oldestNanos = 3 * (8 + Timeline.CAPACITY) * TICK_NANOS; // of those after the start of the pause
        assertThat(timeline.pausedNanosAt(oldestNanos + 1)).isEqualTo(1);
    }

    /** A snapshot without a step would else be due a tick after the oldest piece kept, ever farther in the future. */
    @Test
    void shouldPublishAtOnceHoweverOftenInAPause() {
        Timeline timeline = started(HUNDRED, 0);
        timeline.pause(5);
        for (int publish = 0; publish < 1000; publish++) {
            long nanos = 100 * TICK_NANOS + publish * 10_000L;
            assertThat(timeline.standAtNextTick(nanos)).isEqualTo(nanos);
        }
        assertThat(timeline.simNanosAt(100 * TICK_NANOS + 9_990_000)).isEqualTo(1005 * TICK_NANOS);
        assertThat(timeline.simNanosAt(3 * TICK_NANOS)).as("before the pause").isEqualTo(3 * TICK_NANOS);
        assertThat(timeline.simNanosAt(6 * TICK_NANOS)).isEqualTo(5 * TICK_NANOS);
    }

    @Test
    void shouldStandAtTheNextTickAfterAShownPause() {
        Timeline timeline = started(HUNDRED, 0);
        timeline.pause(5);
        assertThat(timeline.standAtNextTick(5 * TICK_NANOS + 3)).isEqualTo(6 * TICK_NANOS);
        assertThat(timeline.simNanosAt(6 * TICK_NANOS - 1)).isEqualTo(5 * TICK_NANOS);
        assertThat(timeline.simNanosAt(6 * TICK_NANOS)).isEqualTo(6 * TICK_NANOS);
        assertThat(timeline.standAtNextTick(20 * TICK_NANOS + 3)).isEqualTo(20 * TICK_NANOS + 3);
        assertThat(timeline.resumeNanos(5)).isEqualTo(6 * TICK_NANOS);
        assertThat(timeline.resumeNanos(7)).as("not known yet").isEqualTo(20 * TICK_NANOS + 3);
        assertThat(timeline.pausedNanosAt(5 * TICK_NANOS - 1)).isZero();
        assertThat(timeline.pausedNanosAt(6 * TICK_NANOS - 1)).isEqualTo(TICK_NANOS - 1);
        assertThat(timeline.pausedNanosAt(20 * TICK_NANOS + 3)).isZero();
        assertThat(timeline.pausedNanosAt(20 * TICK_NANOS + 5)).isEqualTo(2);
        timeline.resume(30 * TICK_NANOS, TimeScale.ONE);
        assertThat(timeline.dueNanos(8)).isEqualTo(31 * TICK_NANOS);
        assertThat(timeline.resumeNanos(7)).isEqualTo(30 * TICK_NANOS);
        assertThat(timeline.pausedNanosAt(20 * TICK_NANOS + 5)).isZero();
    }

    /** Makes random changes of every kind. Simulated time never jumps by more than rounding and never runs backwards. */
    @Test
    void shouldBeContinuousAcrossEveryChange() {
        SplittableRandom random = new SplittableRandom(9);
        Timeline timeline = started(HUNDRED, 0);
        long tick = 0;
        for (int change = 0; change < 2_000; change++) {
            tick += random.nextLong(1, 5);
            long from = timeline.dueNanos(tick);
            TimeScale scale = new TimeScale(random.nextLong(1, 65), random.nextLong(1, 65));
            switch (random.nextInt(4)) {
                case 0 -> timeline.changeScale(tick, scale);
                case 1 -> timeline.skip(tick, random.nextLong(1, 4));
                case 2 -> timeline.skipUntil(tick, from + random.nextLong(1, 50_000_000));
                default -> {
                    timeline.pause(tick);
                    timeline.resume(from + random.nextLong(1, 50_000_000), scale);
                }
            }
            long end = timeline.dueNanos(tick + 1);
            long sim = timeline.simNanosAt(from - 1);
            for (long nanos = from; nanos < end; nanos += Math.max(1, (end - from) / 50)) {
                long next = timeline.simNanosAt(nanos);
                assertThat(next).isGreaterThanOrEqualTo(sim);
                sim = next;
            }
            assertThat(timeline.simNanosAt(from) - timeline.simNanosAt(from - 1))
                    .isBetween(0L, 200L);
            assertThat(timeline.simNanosAt(end)).isBetween((tick + 1) * TICK_NANOS - 65, (tick + 1) * TICK_NANOS);
        }
    }

    /** Speeds change, and time stops, where the next tick is far away. The tick is due when its length has passed at all these speeds. */
    @ParameterizedTest
    @CsvSource({"1, 1", "30, 1", "100, 1", "60000, 1001"})
    void shouldKeepDueTimesExactAcrossChangesWithinTicks(long numerator, long denominator) {
        TickRate rate = new TickRate(numerator, denominator);
        double tickNanos = 1e9 * rate.denominator() / rate.numerator();
        SplittableRandom random = new SplittableRandom(117);
        Timeline timeline = started(rate, 0);
        long now = 0;
        long tick = 1;
        TimeScale scale = TimeScale.ONE;
        double passedNanos = 0;
        for (int change = 0; change < 1_000; ) {
            long left = timeline.dueNanos(tick) - now;
            boolean isFar = left > 30_000_000;
            long nanos = isFar ? random.nextLong(10_000_000, left - 20_000_000) : left;
            now += nanos;
            passedNanos += (double) nanos * scale.numerator() / scale.denominator();
            TimeScale next = new TimeScale(1, Math.max(1, Math.round(Math.pow(1000, random.nextDouble()))));
            if (!isFar) {
                double lateNanos = (passedNanos - tickNanos) * scale.denominator() / scale.numerator();
                assertThat(lateNanos).as("tick %d", tick).isBetween(-1000.0, 1000.0);
                assertThat(timeline.simNanosAt(now)).isBetween(rate.nanosAt(tick) - 1, rate.nanosAt(tick));
                passedNanos = 0;
                timeline.changeScale(tick++, next);
            } else if (random.nextBoolean()) {
                timeline.changeScaleWithin(now, tick, next);
                change++;
            } else {
                timeline.pauseWithin(now, tick);
                long standsAt = timeline.simNanosAt(now);
                now += random.nextLong(100_000_000);
                assertThat(timeline.simNanosAt(now)).isEqualTo(standsAt);
                assertThat(timeline.pausedNanosAt(now)).as("between two ticks").isZero();
                timeline.resume(now, next);
                assertThat(timeline.simNanosAt(now)).as("rounded").isBetween(standsAt, standsAt + 2);
                change++;
            }
            scale = next;
        }
    }

    @Test
    void shouldRefuseChangesThatMakeNoSense() {
        for (LongUnaryOperator ask :
                List.<LongUnaryOperator>of(new Timeline(HUNDRED)::simNanosAt, new Timeline(HUNDRED)::dueNanos)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> ask.applyAsLong(1))
                    .withMessage("this timeline has not started");
        }
        Timeline timeline = started(HUNDRED, 12);
        assertThatIllegalStateException()
                .isThrownBy(() -> timeline.start(13))
                .withMessage("this timeline has started before, at 12 ns");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> timeline.skip(5, 0))
                .withMessage("cannot skip 0 ticks after tick 5");
        assertThatIllegalStateException()
                .isThrownBy(() -> timeline.resume(0, TimeScale.ONE))
                .withMessage("simulated time can be resumed only while it stands still");
        timeline.pause(1);
        assertThatIllegalStateException()
                .isThrownBy(() -> timeline.pause(1))
                .withMessage("cannot pause while simulated time stands still");
        assertThatIllegalStateException()
                .isThrownBy(() -> timeline.changeScale(1, TimeScale.ONE))
                .withMessageEndingWith("while simulated time stands still");
        assertThatIllegalStateException()
                .isThrownBy(() -> timeline.skip(1, 1))
                .withMessage("cannot skip time while simulated time stands still");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> started(TickRate.hertz(100_000), 0).changeScale(1, new TimeScale(2, 1)))
                .withMessageContaining("a scale of 2 cannot be used at 100000 Hz");
    }

    /** 20 ms of the clock are 20 ns at a millionth, and less than one at 64. */
    @Test
    void shouldLeaveATickItsRest() {
        Timeline timeline = new Timeline(TickRate.hertz(1000));
        timeline.startAt(0, 0, new TimeScale(1, 1_000_000));
        long nanos = timeline.dueNanos(1) - 20_000_000;
        timeline.pauseWithin(nanos, 1);
        timeline.resume(nanos + 5, new TimeScale(64, 1));
        assertThat(timeline.dueNanos(1)).isEqualTo(nanos + 6);
    }
}
