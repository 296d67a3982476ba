package dev.escapement.physics.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.state.Slice;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TickScheduleTest {

    private static final long TICK_NANOS = 10_000_000;

    @ParameterizedTest
    @CsvSource({
        // publish of tick 1, which is due at 10 ms; skipped ticks; due time of tick 2
        "10000001, 0, 20000000",
        "20000000, 0, 20000000",
        "20000001, 1, 30000000",
        "30000000, 1, 30000000",
        "35000000, 2, 40000000",
        "600000000000, 59998, 600000000000",
    })
    void shouldSkipMissedDeadlinesAndKeepThePhase(long publishedNanos, long skipped, long nextDueNanos) {
        TickSchedule schedule = schedule(LateTicks.catchUp(0));
        schedule.finish(publishedNanos, 0);
        assertThat(schedule.nextPublishedTick()).isEqualTo(2);
        assertThat(schedule.account.skippedTicks()).isEqualTo(skipped);
        assertThat(schedule.nextDueNanos()).isEqualTo(nextDueNanos);
    }

    /** Asks right after a tick whether the next one is far away. */
    @ParameterizedTest
    @CsvSource({"100, 1, false", "20, 1, false", "1, 1, false", "100, 2, false", "100, 3, true", "20, 2, true"})
    void shouldCountTicksAsFarAwayInSlowMotionOnly(int hertz, int timesSlower, boolean far) {
        TickSchedule schedule = new TickSchedule(TickRate.hertz(hertz), LateTicks.catchUp(0), 1);
        schedule.start(0, new TimeScale(1, timesSlower));
        assertThat(schedule.isFar(0)).isEqualTo(far);
        assertThat(schedule.isFar(schedule.nextDueNanos() - 2 * TICK_NANOS)).isFalse();
    }

    @Test
    void shouldCountNoTimeAfterTheFirstClose() {
        TickSchedule schedule = schedule(LateTicks.catchUp(0));
        schedule.finish(TICK_NANOS + 1, 0);
        schedule.close(2 * TICK_NANOS + 1);
        schedule.close(5 * TICK_NANOS);
        schedule.end(6 * TICK_NANOS);
        assertThat(schedule.account.skippedTicks()).isOne();
    }

    /** Tick 1 is published at 75 ms. Ticks 2 to 7 are overdue, tick 2 by 55 ms. */
    @ParameterizedTest
    @CsvSource({"55000000, 0, 20000000", "54999999, 1, 30000000", "25000000, 3, 50000000", "0, 6, 80000000"})
    void shouldCatchUpAndSkipWhatIsTooLate(long maxLatenessNanos, long skipped, long nextDueNanos) {
        TickSchedule schedule = schedule(LateTicks.catchUp(maxLatenessNanos));
        schedule.finish(75_000_000, 0);
        assertThat(schedule.account.skippedTicks()).isEqualTo(skipped);
        assertThat(schedule.account.skippedNanos()).isEqualTo(skipped * TICK_NANOS);
        assertThat(schedule.nextPublishedTick()).isEqualTo(2);
        assertThat(schedule.nextDueNanos()).isEqualTo(nextDueNanos);
        while (schedule.nextDueNanos() < 75_000_000) {
            schedule.finish(75_000_000, 0);
        }
        assertThat(schedule.account.skippedTicks()).as("the others run").isEqualTo(skipped);
        assertThat(schedule.nextDueNanos()).isEqualTo(80_000_000);
    }

    @Test
    void shouldMoveEveryDeadlineByWhatIsBeyondTheBound() {
        TickSchedule schedule = schedule(LateTicks.dilate());
        schedule.finish(33_333_333, 0);
        assertThat(schedule.nextDueNanos()).as("due now, in the first ticks").isEqualTo(33_333_333);
        assertThat(schedule.account.skippedNanos()).isEqualTo(13_333_333);
        assertThat(schedule.account.skippedTicks())
                .as("one whole deadline was lost")
                .isEqualTo(1);
        dilate(schedule, 30, 0);
        long dueNanos = schedule.nextDueNanos();
        schedule.finish(dueNanos + 11 * TICK_NANOS, 0);
        assertThat(schedule.nextDueNanos()).as("ten are caught up with").isEqualTo(dueNanos + TICK_NANOS);
        schedule.finish(dueNanos + 12 * TICK_NANOS + 1, 0);
        assertThat(schedule.nextDueNanos()).as("the rest is skipped").isEqualTo(dueNanos + 2 * TICK_NANOS + 1);
        assertThat(schedule.account.skippedNanos()).isEqualTo(13_333_334);
    }

    /**
     * Frames show simulated time less a constant: if the ticks of the allowed tenth of a second ran at once, a picture would jump by them.
     */
    @ParameterizedTest
    @ValueSource(longs = {300, 20_000})
    void shouldResumeWithOneStepAfterAStall(long stallMillis) {
        TickSchedule schedule = schedule(LateTicks.dilate());
        dilate(schedule, 30, 0);
        long nowNanos = schedule.nextDueNanos() + stallMillis * 1_000_000;
        long simNanos = schedule.timeline().simNanosAt(schedule.nextDueNanos());
        schedule.finish(nowNanos, stallMillis * 1_000_000);
        assertThat(schedule.nextDueNanos()).isEqualTo(nowNanos);
        assertThat(schedule.timeline().simNanosAt(nowNanos) - simNanos).isBetween(0L, TICK_NANOS);
        assertThat(schedule.isSlowed()).isFalse();
    }

    static Stream<Arguments> policies() {
        return Stream.of(
                arguments(LateTicks.dilate(), 1),
                arguments(LateTicks.dilate(TimeScale.ONE), 11),
                arguments(LateTicks.catchUp(0), 1),
                arguments(LateTicks.catchUp(4 * TICK_NANOS), 5),
                arguments(LateTicks.catchUp(), 60_000));
    }

    /** A process was stopped for ten minutes and 5 ns. The last due tick runs late by 5 ns. */
    @ParameterizedTest
    @MethodSource("policies")
    void shouldEndALongSuspensionWithoutAStorm(LateTicks policy, long ticks) {
        TickSchedule schedule = schedule(policy);
        long now = 600_000_000_000L + 5;
        long run = 0;
        while (schedule.nextDueNanos() - now < 0) {
            schedule.finish(now, 0);
            run++;
        }
        assertThat(run).isEqualTo(ticks);
    }

    /** Steps take 100 ms, then almost none. The next tick is due in 80 ms, and requests must not wait for it. */
    @Test
    void shouldCountTicksAsFarAwayWhileSlowed() {
        TickSchedule schedule = schedule(LateTicks.dilate());
        dilate(schedule, 21, 100_000_000);
        assertThat(schedule.dilation.share()).isCloseTo(0.1, within(0.001));
        long now = schedule.nextDueNanos() + 1_000_000;
        schedule.finish(now, 1_000_000);
        assertThat(schedule.isFar(now)).isTrue();
        assertThat(schedule.isFar(schedule.nextDueNanos() - 2 * TICK_NANOS)).isFalse();
    }

    /** Finishes ticks that were published {@code workNanos} after they were due. */
    private static void dilate(TickSchedule schedule, int ticks, long workNanos) {
        for (int i = 0; i < ticks; i++) {
            schedule.finish(schedule.nextDueNanos() + workNanos, workNanos);
        }
    }

    /** The factor is simulated time over requested time, whether time was slowed down or skipped. */
    @Test
    void shouldReportTheShareOfTimeThatWasSimulated() {
        TickSchedule schedule = schedule(LateTicks.dilate());
        schedule.scale(new TimeScale(1, 2)); // a period of 20 ms
        schedule.finish(20_000_000, 1_000_000);
        assertThat(schedule.account.realTimeFactor()).isEqualTo(1);
        dilate(schedule, 20_000, 40_000_000);
        assertThat(schedule.dilation.share()).isCloseTo(0.5, within(0.01));
        assertThat(schedule.account.realTimeFactor()).isCloseTo(schedule.dilation.share(), within(0.001));
    }

    /** Slow motion ends a tick of 100 ms after 40 ms: 36 of them are lost. Half of the rest passes at 1/2, then a pause stops it. */
    @Test
    void shouldCountWhatAChangeWithinATickHasCost() {
        TickSchedule schedule = schedule(LateTicks.dilate());
        dilate(schedule, 21, 100_000_000);
        long from = schedule.nextDueNanos();
        schedule.finish(from, 100_000_000);
        TimeAccount account = schedule.account;
        long before = account.slowedNanos();
        schedule.scaleWithin(from + 40_000_000, new TimeScale(1, 2));
        assertThat(account.slowedNanos() - before).isCloseTo(36_000_000, within(200_000L));
        long halfNanos = (schedule.nextDueNanos() - from - 40_000_000) / 2;
        schedule.pauseWithin(from + 40_000_000 + halfNanos);
        schedule.resume(from + 1_000_000_000);
        assertThat(schedule.nextDueNanos() - from - 1_000_000_000).isCloseTo(halfNanos, within(1L));
        schedule.finish(schedule.nextDueNanos(), 100_000_000);
        long requestedNanos = 4_000_000 + 2 * 6_000_000;
        assertThat(account.slowedNanos() - before + requestedNanos)
                .as("of the time without the pause")
                .isCloseTo(40_000_000 + 2 * halfNanos, within(500_000L));
    }

    /** A tick without a step ends the first tick at 4 of its 10 ms. A deadline at half the speed is then lost: 10 ms. */
    @Test
    void shouldCountThePartOfATickThatACommandEnds() {
        TickSchedule schedule = schedule(LateTicks.catchUp(0));
        schedule.pauseWithin(4_000_000);
        schedule.scale(new TimeScale(1, 2));
        assertThat(schedule.standAtNextTick(90_000_000)).isEqualTo(90_000_000);
        schedule.resume(100_000_000);
        assertThat(schedule.nextDueNanos()).isEqualTo(120_000_000);
        schedule.finish(140_000_001, 0);
        assertThat(schedule.account.realTimeFactor()).as("14 ms of 24").isCloseTo(14 / 24.0, within(1e-6));
    }

    /** The requested speed alternates between 0.1 and 1. Lost time counts by the speed requested at that time. */
    @Test
    void shouldWeighLostTimeByTheRequestedSpeed() {
        TickSchedule schedule = schedule(LateTicks.catchUp(0));
        for (int i = 0; i < 30; i++) {
            schedule.scale(new TimeScale(1, 10)); // a period of 100 ms; on time
            schedule.finish(schedule.nextDueNanos(), 0);
            schedule.scale(TimeScale.ONE);
            schedule.finish(schedule.nextDueNanos() + TICK_NANOS + 1, 0); // loses one period
        }
        assertThat(schedule.account.realTimeFactor()).as("60 ticks of 90").isCloseTo(2 / 3.0, within(1e-6));
        assertThat(schedule.account.skippedNanos()).isEqualTo(30 * TICK_NANOS);
    }

    /** The source's due time is 5 ms later than the replica's, then 2 ms earlier. */
    @Test
    void shouldFollowTheSourceToLaterAndEarlierDueTimes() {
        TickSchedule schedule = schedule(LateTicks.catchUp());
        schedule.moveNext(1, TICK_NANOS + 5_000_000);
        assertThat(schedule.nextDueNanos()).isEqualTo(TICK_NANOS + 5_000_000);
        schedule.moveNext(1, TICK_NANOS - 2_000_000);
        assertThat(schedule.nextDueNanos()).isEqualTo(TICK_NANOS - 2_000_000);
    }

    @Test
    void shouldEndSlowMotionWhereASourceMovesTicks() {
        TickSchedule schedule = schedule(LateTicks.dilate());
        dilate(schedule, 20, 14_000_000);
        assertThat(schedule.isSlowed()).isTrue();
        schedule.moveNext(schedule.nextPublishedTick(), schedule.nextDueNanos() + 5_000_000);
        dilate(schedule, 5, 14_000_000);
        assertThat(schedule.isSlowed()).isFalse();
        schedule.finish(schedule.nextDueNanos() + 130_000_000, 14_000_000);
        assertThat(schedule.account.skippedTicks()).as("beyond the bound").isPositive();
    }

    /** The thirtieth tick is ten ticks late. The recent factor shows that for at most a second. */
    @Test
    void shouldForgetASkip() {
        TickSchedule schedule = schedule(LateTicks.catchUp(0));
        dilate(schedule, 29, 0);
        schedule.finish(schedule.nextDueNanos() + 11 * TICK_NANOS, 0);
        assertThat(schedule.recentFactor()).as("30 of 40 ticks").isCloseTo(0.75, within(0.01));
        dilate(schedule, 20, 0);
        assertThat(schedule.recentFactor()).isCloseTo(50 / 60.0, within(0.01));
        dilate(schedule, 60, 0);
        assertThat(schedule.recentFactor()).isEqualTo(1);
    }

    @Test
    void shouldResumeAtTheSpeedThatItHad() {
        TickSchedule schedule = schedule(LateTicks.dilate());
        dilate(schedule, 21, 14_000_000);
        double slowNanos = schedule.dilation.lengthNanos();
        schedule.pause(schedule.nextDueNanos());
        long now = 1_000_000_000;
        schedule.resume(now);
        assertThat(schedule.isSlowed()).isTrue();
        assertThat(schedule.nextDueNanos() - now).isCloseTo((long) slowNanos, within(1000L));
    }

    private static TickSchedule schedule(LateTicks lateTicks) {
        TickSchedule schedule = new TickSchedule(TickRate.hertz(100), lateTicks, 1);
        schedule.start(0, TimeScale.ONE);
        return schedule;
    }

    /**
     * Random bursts, ramps, noise and constant loads of 30 s. Wherever catching up with 0.1 s keeps real time, slow motion nearly does. The
     * goal is 0.95; of 10,000 sequences, two missed it.
     */
    @Test
    void shouldKeepRealTimeWhereCatchingUpDoes() {
        TreeMap<Double, String> worst = new TreeMap<>();
        Slice.current().seeds(10_000, TickScheduleTest.class).forEach(seed -> {
            RandomWorks works = new RandomWorks(seed, 3000);
            if (speed(LateTicks.catchUp(10 * TICK_NANOS), works.nanos) >= 0.98) {
                worst.put(speed(LateTicks.dilate(), works.nanos), seed + ": " + works);
                worst.keySet().removeIf(speed -> worst.size() > 10 && speed.equals(worst.lastKey()));
            }
        });
        assertThat(worst.firstKey()).as("slowest: %s", worst).isGreaterThan(0.93);
    }

    /** Returns the speed after the first second. */
    private static double speed(LateTicks policy, long[] worksNanos) {
        TickSchedule schedule = schedule(policy);
        long publishedNanos = 0;
        long fromNanos = 0;
        for (int tick = 1; tick <= worksNanos.length; tick++) {
            fromNanos = tick == 100 ? schedule.nextDueNanos() : fromNanos;
            publishedNanos = Math.max(publishedNanos, schedule.nextDueNanos()) + worksNanos[tick - 1];
            schedule.finish(publishedNanos, worksNanos[tick - 1]);
        }
        return (double) (worksNanos.length + 1 - 100) * TICK_NANOS / (schedule.nextDueNanos() - fromNanos);
    }
}
